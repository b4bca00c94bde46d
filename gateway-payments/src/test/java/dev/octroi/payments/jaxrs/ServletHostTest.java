package dev.octroi.payments.jaxrs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.octroi.payments.Redelivery;
import dev.octroi.payments.Settle;
import dev.octroi.payments.Usd;
import dev.octroi.payments.flow.PaidEndpoint;
import dev.octroi.payments.jaxrs.PaidMethods.MethodTerms;
import dev.octroi.payments.servlet.PaymentServletFilter;
import dev.octroi.payments.x402.PaymentHeaders;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.Servlet;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;
import jakarta.ws.rs.HttpMethod;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.core.Application;
import jakarta.ws.rs.ext.RuntimeDelegate;
import java.io.IOException;
import java.lang.reflect.Method;
import java.net.http.HttpResponse;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.eclipse.jetty.ee10.servlet.FilterHolder;
import org.eclipse.jetty.ee10.servlet.ServletContextHandler;
import org.glassfish.jersey.internal.RuntimeDelegateImpl;
import org.glassfish.jersey.server.ResourceConfig;
import org.glassfish.jersey.server.ServerProperties;
import org.glassfish.jersey.servlet.ServletContainer;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The servlet face before an application that knows nothing of payments keeps the contracts that
 * the face of JAX-RS keeps, but for work that is paid for later, which needs path templates.
 */
class ServletHostTest {

  @Nested
  class Refusal extends RefusalContract {
    Refusal() {
      super(new BehindFilter());
    }
  }

  @Nested
  class Body extends BodyContract {
    Body() {
      super(new BehindFilter());
    }
  }

  @Nested
  class Sale extends SaleContract {
    Sale() {
      super(new BehindFilter());
    }
  }

  @Nested
  class SamePayment extends SamePaymentContract {
    SamePayment() {
      super(new BehindFilter());
    }
  }

  @Nested
  class Settling extends SettlingContract {
    Settling() {
      super(new BehindFilter());
    }
  }

  @Nested
  class Repriced extends RepricedContract {
    Repriced() {
      super(new BehindFilter());
    }
  }

  @Nested
  class Doubt extends DoubtContract {
    Doubt() {
      super(new BehindFilter());
    }
  }

  @Nested
  class Clients extends ClientsContract {
    Clients() {
      super(new BehindFilter());
    }
  }

  @Nested
  class Identifiers extends IdentifiersContract {
    Identifiers() {
      super(new BehindFilter());
    }

    @Override
    boolean leavesFromFile() {
      return true;
    }
  }

  @Nested
  class KeysHost extends KeysHostContract {
    KeysHost() {
      super(new BehindFilter());
    }

    /** A servlet's answer is held back until it ends, so that it tells what it cost. */
    @Override
    @Test
    void aStreamIsChargedForWhatItCostWhenItEnds() {
      HttpResponse<String> answer = call("taxi");

      assertThat(header(answer, PaymentHeaders.PRICE_AMOUNT)).isEqualTo("0.004000");
      await().untilAsserted(() -> assertThat(spentBy(key)).isEqualTo(4000));
    }

    /** And nothing of it was had when its time is over. */
    @Override
    @ParameterizedTest
    @ValueSource(booleans = false)
    void aStreamThatIsNotReadToItsEndIsChargedForWhatItHadCost(boolean onAChain) {
      shop.gate = new CountDownLatch(1);
      var unused = CompletableFuture.runAsync(() -> call("taxi?unread=true"));

      await().untilAsserted(() -> assertThat(spentBy(key)).isEqualTo(10_000));
      await().untilAsserted(() -> assertThat(spentBy(key)).isZero());
      shop.gate.countDown();
    }
  }

  @Nested
  class Netted extends NettedContract {
    Netted() {
      super(new BehindFilter());
    }
  }

  @Nested
  class Resumed extends ResumedContract {
    Resumed() {
      super(new BehindFilter());
    }
  }

  /** The filter before a servlet that happens to be Jersey's. */
  private static final class BehindFilter implements JaxRs {

    private static final Set<String> STREAMS = Set.of("Shop.stream", "Shop.drip");
    private static final PaidEndpoint LOCATED =
        new PaidEndpoint("sub", request -> Usd.parse("0.01"), Settle.AFTER, Redelivery.STORED);
    private static final EnumSet<DispatcherType> EVERY = EnumSet.allOf(DispatcherType.class);

    @Override
    public RuntimeDelegate delegate() {
      return new RuntimeDelegateImpl();
    }

    @Override
    public Servlet servlet(Application application, ServletContextHandler context) {
      ShopApplication shop = (ShopApplication) application;
      context.addFilter(new FilterHolder((Filter) BehindFilter::cut), "/*", EVERY);
      PaymentServletFilter payments =
          new PaymentServletFilter(shop.payments(), request -> endpoint(shop, request));
      FilterHolder holder = new FilterHolder(payments);
      holder.setAsyncSupported(true);
      context.addFilter(holder, "/*", EVERY);
      ResourceConfig config = ResourceConfig.forApplication(shop.unpaid());
      // Jersey holds back less than the first piece of a stream, and more than a broken answer.
      config.property(ServerProperties.OUTBOUND_CONTENT_LENGTH_BUFFER, 8);
      return new ServletContainer(config);
    }

    /** What the annotations of the method say that serves a path. */
    private static Optional<PaidEndpoint> endpoint(
        ShopApplication shop, HttpServletRequest request) {
      String path = String.valueOf(request.getPathInfo()).substring(1);
      String called = request.getMethod().equals("HEAD") ? "GET" : request.getMethod();
      PriceTable prices = new PriceTable(shop.payments().flow().settings().tariffs());
      Class<?> resource = shop.resource().getClass();
      if (path.startsWith("sub")) {
        return Optional.of(LOCATED);
      }
      return Stream.of(resource.getMethods())
          .filter(method -> method.isAnnotationPresent(Path.class))
          .filter(method -> path.matches(pattern(resource, method)))
          .filter(method -> serves(method, called))
          .map(method -> prices.terms(resource, method))
          .flatMap(terms -> terms instanceof MethodTerms.Priced it ? Stream.of(it) : Stream.empty())
          .map(it -> afterwards(it.method().endpoint()))
          .findFirst();
    }

    private static String pattern(Class<?> resource, Method method) {
      String root = resource.getAnnotation(Path.class).value();
      String path = root + "/" + method.getAnnotation(Path.class).value();
      return path.replaceAll("^/+", "").replaceAll("\\{[^}]*\\}", "[^/]+");
    }

    private static boolean serves(Method method, String called) {
      return Stream.of(method.getAnnotations())
          .map(annotation -> annotation.annotationType().getAnnotation(HttpMethod.class))
          .anyMatch(http -> http != null && http.value().equals(called));
    }

    /** Methods that settle before their effect do so by themselves; streams do not. */
    private static PaidEndpoint afterwards(PaidEndpoint endpoint) {
      if (STREAMS.contains(endpoint.name())) {
        return new PaidEndpoint(
            endpoint.name(), endpoint.tariff(), Settle.BEFORE, Redelivery.RESUMED);
      }
      return endpoint.settle() == Settle.BEFORE
          ? new PaidEndpoint(
              endpoint.name(), endpoint.tariff(), Settle.AFTER, endpoint.redelivery())
          : endpoint;
    }

    /** A connection that breaks while the answer is on its way. */
    private static void cut(
        jakarta.servlet.ServletRequest request,
        jakarta.servlet.ServletResponse response,
        jakarta.servlet.FilterChain chain)
        throws IOException, jakarta.servlet.ServletException {
      boolean cuts = ((HttpServletRequest) request).getHeader(ShopApplication.CUT) != null;
      chain.doFilter(request, cuts ? new Cut((HttpServletResponse) response) : response);
    }
  }

  private static final class Cut extends HttpServletResponseWrapper {

    Cut(HttpServletResponse response) {
      super(response);
    }

    @Override
    public ServletOutputStream getOutputStream() {
      return new ServletOutputStream() {
        @Override
        public boolean isReady() {
          return true;
        }

        @Override
        public void setWriteListener(WriteListener listener) {
          throw new UnsupportedOperationException();
        }

        @Override
        public void write(int b) throws IOException {
          throw new IOException("cut");
        }
      };
    }
  }
}
