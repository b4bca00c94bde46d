package dev.octroi.payments.jaxrs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.octroi.payments.Free;
import dev.octroi.payments.Paid;
import dev.octroi.payments.setup.Payments;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import java.net.http.HttpRequest.BodyPublishers;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Which resources are deployed, and which fail the deployment. */
abstract class DeploymentContract extends ShopContract {

  DeploymentContract(JaxRs jaxRs) {
    super(jaxRs);
  }

  /** Nothing to complain about. */
  @Path("/")
  public static final class Careful {

    @GET
    @Path("paid")
    @Paid("0.01")
    public String paid() {
      return "paid";
    }

    @GET
    @Path("free")
    @Free
    public String free() {
      return "free";
    }
  }

  @Test
  @Tag("spec:decision.options")
  void aStrictDeploymentStandsWhereEveryMethodIsDeclared() throws Exception {
    try (TestMoney others = new TestMoney();
        Payments strict = payments(others, true)) {
      ShopApplication careful = new ShopApplication(new Careful(), strict);
      JettyHost second = JettyHost.start(context -> jaxRs.servlet(careful, context));
      TestPayer visitor = new TestPayer(second.base());
      try {
        assertThat(visitor.get("free").body()).isEqualTo("free");
        assertThat(visitor.buy("paid").body()).isEqualTo("paid");
        assertThat(
                visitor
                    .send(visitor.to("paid").method("OPTIONS", BodyPublishers.noBody()))
                    .statusCode())
            .isBetween(200, 204);
      } finally {
        second.stop();
      }
    }
  }

  /** A price that is none, and a method that is neither paid nor free. */
  @Path("/")
  public static final class Careless {

    @GET
    @Path("typo")
    @Paid("0,01")
    public String typo() {
      return "";
    }

    @GET
    @Path("undeclared")
    public String undeclared() {
      return "";
    }
  }

  @Test
  void aWrongPriceFailsTheDeployment() {
    try (TestMoney others = new TestMoney();
        Payments strict = payments(others, true)) {
      ShopApplication careless = new ShopApplication(new Careless(), strict);

      assertThatThrownBy(() -> JettyHost.start(context -> jaxRs.servlet(careless, context)))
          .hasStackTraceContaining("Careless.typo")
          .hasStackTraceContaining("Careless.undeclared is neither @Paid nor @Free");
    }
  }
}
