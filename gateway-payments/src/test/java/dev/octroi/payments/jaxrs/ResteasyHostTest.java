package dev.octroi.payments.jaxrs;

import jakarta.servlet.Servlet;
import jakarta.ws.rs.core.Application;
import jakarta.ws.rs.ext.RuntimeDelegate;
import org.eclipse.jetty.ee10.servlet.ServletContextHandler;
import org.jboss.resteasy.core.ResteasyDeploymentImpl;
import org.jboss.resteasy.core.providerfactory.ResteasyProviderFactoryImpl;
import org.jboss.resteasy.plugins.server.servlet.HttpServletDispatcher;
import org.jboss.resteasy.spi.Dispatcher;
import org.jboss.resteasy.spi.ResteasyDeployment;
import org.jboss.resteasy.spi.ResteasyProviderFactory;
import org.junit.jupiter.api.Nested;

class ResteasyHostTest {

  @Nested
  class Refusing extends RefusalContract {
    Refusing() {
      super(new Resteasy());
    }
  }

  @Nested
  class Bodies extends BodyContract {
    Bodies() {
      super(new Resteasy());
    }
  }

  @Nested
  class Sales extends SaleContract {
    Sales() {
      super(new Resteasy());
    }
  }

  @Nested
  class SamePayments extends SamePaymentContract {
    SamePayments() {
      super(new Resteasy());
    }
  }

  @Nested
  class Settling extends SettlingContract {
    Settling() {
      super(new Resteasy());
    }
  }

  @Nested
  class Repriced extends RepricedContract {
    Repriced() {
      super(new Resteasy());
    }
  }

  @Nested
  class InDoubt extends DoubtContract {
    InDoubt() {
      super(new Resteasy());
    }
  }

  @Nested
  class Clients extends ClientsContract {
    Clients() {
      super(new Resteasy());
    }
  }

  @Nested
  class Identifiers extends IdentifiersContract {
    Identifiers() {
      super(new Resteasy());
    }
  }

  @Nested
  class Deployments extends DeploymentContract {
    Deployments() {
      super(new Resteasy());
    }
  }

  @Nested
  class Keys extends KeysHostContract {
    Keys() {
      super(new Resteasy());
    }
  }

  @Nested
  class PaidLater extends LaterContract {
    PaidLater() {
      super(new Resteasy());
    }
  }

  @Nested
  class Resumed extends ResumedContract {
    Resumed() {
      super(new Resteasy());
    }
  }

  private static final class Resteasy implements JaxRs {

    @Override
    public RuntimeDelegate delegate() {
      return new ResteasyProviderFactoryImpl();
    }

    @Override
    public Servlet servlet(Application application, ServletContextHandler context) {
      ResteasyDeployment deployment = new ResteasyDeploymentImpl();
      deployment.setApplication(application);
      deployment.start();
      context.setAttribute(
          ResteasyProviderFactory.class.getName(), deployment.getProviderFactory());
      context.setAttribute(Dispatcher.class.getName(), deployment.getDispatcher());
      context.setInitParameter("resteasy.servlet.mapping.prefix", "/api");
      return new HttpServletDispatcher();
    }
  }
}
