package dev.octroi.payments.jaxrs;

import jakarta.servlet.Servlet;
import jakarta.ws.rs.core.Application;
import jakarta.ws.rs.ext.RuntimeDelegate;
import org.apache.cxf.jaxrs.impl.RuntimeDelegateImpl;
import org.apache.cxf.jaxrs.servlet.CXFNonSpringJaxrsServlet;
import org.eclipse.jetty.ee10.servlet.ServletContextHandler;
import org.junit.jupiter.api.Nested;

class CxfHostTest {

  @Nested
  class Refusing extends RefusalContract {
    Refusing() {
      super(new Cxf());
    }
  }

  @Nested
  class Bodies extends BodyContract {
    Bodies() {
      super(new Cxf());
    }
  }

  @Nested
  class Sales extends SaleContract {
    Sales() {
      super(new Cxf());
    }
  }

  @Nested
  class SamePayments extends SamePaymentContract {
    SamePayments() {
      super(new Cxf());
    }
  }

  @Nested
  class Settling extends SettlingContract {
    Settling() {
      super(new Cxf());
    }
  }

  @Nested
  class Repriced extends RepricedContract {
    Repriced() {
      super(new Cxf());
    }
  }

  @Nested
  class InDoubt extends DoubtContract {
    InDoubt() {
      super(new Cxf());
    }
  }

  @Nested
  class Clients extends ClientsContract {
    Clients() {
      super(new Cxf());
    }
  }

  @Nested
  class Identifiers extends IdentifiersContract {
    Identifiers() {
      super(new Cxf());
    }
  }

  @Nested
  class Deployments extends DeploymentContract {
    Deployments() {
      super(new Cxf());
    }
  }

  @Nested
  class Keys extends KeysHostContract {
    Keys() {
      super(new Cxf());
    }
  }

  @Nested
  class PaidLater extends LaterContract {
    PaidLater() {
      super(new Cxf());
    }
  }

  @Nested
  class Resumed extends ResumedContract {
    Resumed() {
      super(new Cxf());
    }
  }

  private static final class Cxf implements JaxRs {

    @Override
    public RuntimeDelegate delegate() {
      return new RuntimeDelegateImpl();
    }

    @Override
    public Servlet servlet(Application application, ServletContextHandler context) {
      return new CXFNonSpringJaxrsServlet(application);
    }
  }
}
