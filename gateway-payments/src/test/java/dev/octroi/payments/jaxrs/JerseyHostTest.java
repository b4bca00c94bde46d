package dev.octroi.payments.jaxrs;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.servlet.Servlet;
import jakarta.ws.rs.core.Application;
import jakarta.ws.rs.ext.RuntimeDelegate;
import org.eclipse.jetty.ee10.servlet.ServletContextHandler;
import org.glassfish.jersey.server.ResourceConfig;
import org.glassfish.jersey.server.ServerProperties;
import org.glassfish.jersey.server.internal.RuntimeDelegateImpl;
import org.glassfish.jersey.servlet.ServletContainer;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class JerseyHostTest {

  @Nested
  class Refusing extends RefusalContract {
    Refusing() {
      super(new Jersey());
    }
  }

  @Nested
  class Bodies extends BodyContract {
    Bodies() {
      super(new Jersey());
    }
  }

  @Nested
  class Sales extends SaleContract {
    Sales() {
      super(new Jersey());
    }
  }

  @Nested
  class SamePayments extends SamePaymentContract {
    SamePayments() {
      super(new Jersey());
    }

    /** Jersey writes it once the answer has left. */
    @Test
    @Tag("spec:money.1")
    void aChunkedOutputIsNotCharged() {
      String payment = payer.payment("chunked");
      shop.broken.set(true);
      assertThat(payer.get("chunked", payment).statusCode()).isEqualTo(500);
      assertThat(spent()).isZero();

      shop.broken.set(false);
      assertThat(payer.get("chunked", payment).statusCode()).isEqualTo(200);
      assertThat(spent()).isPositive();
    }
  }

  @Nested
  class Settling extends SettlingContract {
    Settling() {
      super(new Jersey());
    }
  }

  @Nested
  class Repriced extends RepricedContract {
    Repriced() {
      super(new Jersey());
    }
  }

  @Nested
  class InDoubt extends DoubtContract {
    InDoubt() {
      super(new Jersey());
    }
  }

  @Nested
  class Clients extends ClientsContract {
    Clients() {
      super(new Jersey());
    }
  }

  @Nested
  class Identifiers extends IdentifiersContract {
    Identifiers() {
      super(new Jersey());
    }
  }

  @Nested
  class Deployments extends DeploymentContract {
    Deployments() {
      super(new Jersey());
    }
  }

  @Nested
  class Keys extends KeysHostContract {
    Keys() {
      super(new Jersey());
    }
  }

  @Nested
  class Netted extends NettedContract {
    Netted() {
      super(new Jersey());
    }
  }

  @Nested
  class PaidLater extends LaterContract {
    PaidLater() {
      super(new Jersey());
    }
  }

  @Nested
  class Resumed extends ResumedContract {
    Resumed() {
      super(new Jersey());
    }
  }

  private static final class Jersey implements JaxRs {

    @Override
    public RuntimeDelegate delegate() {
      return new RuntimeDelegateImpl();
    }

    @Override
    public Servlet servlet(Application application, ServletContextHandler context) {
      ResourceConfig config = ResourceConfig.forApplication(application);
      // Jersey holds the first bytes of a stream back otherwise.
      config.property(ServerProperties.OUTBOUND_CONTENT_LENGTH_BUFFER, 0);
      return new ServletContainer(config);
    }
  }
}
