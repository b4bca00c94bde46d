package dev.octroi.payments.jaxrs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.octroi.payments.Free;
import dev.octroi.payments.Paid;
import dev.octroi.payments.PricedRequest;
import dev.octroi.payments.Redelivery;
import dev.octroi.payments.Settle;
import dev.octroi.payments.Tariff;
import dev.octroi.payments.Usd;
import dev.octroi.payments.jaxrs.PaidMethods.MethodTerms;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.ws.rs.BeanParam;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.sse.SseEventSink;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class DeploymentCheckTest {

  private final PriceTable prices = new PriceTable(Map.of());
  private final DeploymentCheck strict = new DeploymentCheck(prices, true);
  private final DeploymentCheck lenient = new DeploymentCheck(prices, false);

  interface Wrong {
    @GET
    @Paid("1.2345678")
    String tooFine();

    @GET
    @Paid
    String without();

    @GET
    @Paid(value = "1", by = Unmakeable.class)
    String both();

    @GET
    @Paid(by = Unmakeable.class)
    String unmakeable();

    @GET
    @Paid("1")
    @Free
    String free();

    @GET
    @Paid(value = "1", settle = Settle.BEFORE, redelivery = Redelivery.REREAD)
    String effect();

    @GET
    @Paid(value = "1", redelivery = Redelivery.RESUMED)
    String resumed();

    @GET
    @Paid(value = "1", settle = Settle.LATER)
    String later();

    @GET
    @Paid("1")
    void writing(@Context HttpServletResponse response);

    String noResource();
  }

  record Unmakeable(Usd price) implements Tariff {
    @Override
    public Usd price(PricedRequest request) {
      return price;
    }
  }

  @Test
  void everyWrongPriceIsReportedAtOnce() {
    assertThat(lenient.problems(Wrong.class))
        .hasSize(9)
        .anyMatch(problem -> problem.startsWith("Wrong.writing is @Paid and takes the"))
        .anyMatch(problem -> problem.startsWith("Wrong.tooFine: a price is plain decimal"))
        .anyMatch(problem -> problem.startsWith("Wrong.without is @Paid without a price"))
        .anyMatch(problem -> problem.startsWith("Wrong.both is @Paid with a value and a tariff"))
        .anyMatch(problem -> problem.startsWith("Wrong.unmakeable: Unmakeable has no usable"))
        .anyMatch(problem -> problem.startsWith("Wrong.free is @Paid and @Free"))
        .anyMatch(problem -> problem.startsWith("Wrong.effect settles before an effect"))
        .anyMatch(problem -> problem.startsWith("Wrong.resumed is RESUMED"))
        .anyMatch(problem -> problem.startsWith("Wrong.later settles later"));
  }

  abstract static class Given {
    @Context @Nullable HttpServletResponse field;
  }

  /** Given the container's response by every way that there is. */
  static class Injected extends Given {
    Supplier<HttpServletResponse> supplied = () -> null;

    Injected(@Context HttpServletResponse response) {
      field = response;
    }

    @Context
    private void setResponse(ServletResponse response) {}

    void help(HttpServletResponse response) {}

    @GET
    @Free
    public void writing(@Context HttpServletResponse response) {
      help(response);
    }

    @GET
    @Paid("1")
    public String sold() {
      return "";
    }
  }

  /** What a method is given in one. */
  static class Parameters extends Given {}

  interface Bundled {
    @GET
    @Paid("1")
    String bundled(@BeanParam Parameters parameters);

    @GET
    @Paid("1")
    void sent(@Context SseEventSink events);
  }

  static class Unpaid extends Given {
    @GET
    @Free
    public String free() {
      return "";
    }
  }

  @Test
  void aClassWithPaidMethodsIsGivenNoResponseOfTheContainers() {
    assertThat(strict.problems(Injected.class))
        .hasSize(4)
        .anyMatch(problem -> problem.startsWith("Injected.field is given the container's"))
        .anyMatch(problem -> problem.startsWith("Injected.supplied is given the container's"))
        .anyMatch(problem -> problem.startsWith("Injected.setResponse is given the container's"))
        .anyMatch(problem -> problem.startsWith("new Injected is given the container's"));
    assertThat(strict.problems(Bundled.class))
        .hasSize(2)
        .allMatch(problem -> problem.contains(" is @Paid and takes the container's response"));
    assertThat(strict.problems(Unpaid.class)).isEmpty();
  }

  @Test
  void anInstanceOfATariffStandsForItsClass() {
    PriceTable withInstance =
        new PriceTable(Map.of(Unmakeable.class, new Unmakeable(Usd.parse("0.5"))));

    assertThat(new DeploymentCheck(withInstance, true).problems(Wrong.class))
        .noneMatch(problem -> problem.startsWith("Wrong.unmakeable"));
  }

  interface Listed<T> {
    @GET
    @Paid("0.02")
    String list(T filter);
  }

  @Paid("0.01")
  abstract static class Priced {
    @GET
    public String inherited() {
      return "";
    }

    @GET
    @Free
    public abstract String free();
  }

  static class Catalogue extends Priced implements Listed<String> {
    @Override
    public String list(String filter) {
      return filter;
    }

    @Override
    public String free() {
      return "";
    }
  }

  @Test
  @Tag("spec:money.paid_hierarchy")
  void annotationsAreFoundInSuperclassesAndInterfaces() throws NoSuchMethodException {
    assertThat(strict.problems(Catalogue.class)).isEmpty();
    assertThat(price("list", String.class)).isEqualTo(Usd.parse("0.02"));
    assertThat(price("inherited")).isEqualTo(Usd.parse("0.01"));
    assertThat(prices.terms(Catalogue.class, Catalogue.class.getMethod("free")))
        .isInstanceOf(MethodTerms.Free.class);
  }

  private static final PricedRequest NOTHING =
      new PricedRequest() {
        @Override
        public String method() {
          return "GET";
        }

        @Override
        public String path() {
          return "/";
        }

        @Override
        public Map<String, List<String>> pathParameters() {
          return Map.of();
        }

        @Override
        public Map<String, List<String>> queryParameters() {
          return Map.of();
        }

        @Override
        public byte[] body() {
          return new byte[0];
        }
      };

  private Usd price(String method, Class<?>... parameters) throws NoSuchMethodException {
    MethodTerms terms =
        prices.terms(Catalogue.class, Catalogue.class.getMethod(method, parameters));
    return ((MethodTerms.Priced) terms).method().endpoint().tariff().price(NOTHING);
  }

  interface Overloaded {
    @GET
    @Paid("0.01")
    String read(String text);

    @GET
    String read(Object any);
  }

  @Test
  void anOverloadDoesNotInheritFromItsNamesake() {
    assertThat(strict.problems(Overloaded.class))
        .containsExactly("Overloaded.read is neither @Paid nor @Free: nothing is free by omission");
  }

  interface Lenient {
    @GET
    String undeclared();

    @Path("to-object")
    Object unknown();
  }

  @Test
  @Tag("spec:money.paid_hierarchy")
  void onlyAStrictDeploymentAsksForADeclarationOfEveryMethod() {
    assertThat(lenient.problems(Lenient.class)).isEmpty();
    assertThat(strict.problems(Lenient.class))
        .hasSize(2)
        .anyMatch(problem -> problem.startsWith("Lenient.undeclared is neither @Paid nor @Free"))
        .anyMatch(problem -> problem.startsWith("Lenient.unknown is a sub-resource locator"));
  }

  interface Root {
    @Path("deep")
    Middle deep();

    @Path("harmless")
    Harmless harmless();
  }

  interface Middle {
    @Path("deeper")
    Catalogue deeper();
  }

  interface Harmless {
    @GET
    @Free
    String free();
  }

  @Test
  @Tag("spec:money.paid_hierarchy")
  void aLocatorThatLeadsToAPaidMethodFailsHoweverDeep() {
    assertThat(lenient.problems(Root.class))
        .singleElement()
        .asString()
        .startsWith("Root.deep is a sub-resource locator that leads to @Paid methods");
  }
}
