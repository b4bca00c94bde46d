package dev.octroi.payments.jaxrs;

import jakarta.servlet.Servlet;
import jakarta.ws.rs.core.Application;
import jakarta.ws.rs.ext.RuntimeDelegate;
import java.net.http.HttpClient;
import org.eclipse.jetty.ee10.servlet.ServletContextHandler;
import org.glassfish.jersey.server.ResourceConfig;
import org.glassfish.jersey.server.ServerProperties;
import org.glassfish.jersey.server.internal.RuntimeDelegateImpl;
import org.glassfish.jersey.servlet.ServletContainer;
import org.junit.jupiter.api.Nested;

/** A host that speaks HTTP/2, where a body need not be announced. */
class Http2HostTest {

  @Nested
  class Bodies extends BodyContract {
    Bodies() {
      super(new Http2());
    }

    @Override
    HttpClient.Version version() {
      return HttpClient.Version.HTTP_2;
    }
  }

  @Nested
  class Refusing extends RefusalContract {
    Refusing() {
      super(new Http2());
    }
  }

  @Nested
  class SamePayments extends SamePaymentContract {
    SamePayments() {
      super(new Http2());
    }
  }

  @Nested
  class Selling extends SaleContract {
    Selling() {
      super(new Http2());
    }
  }

  @Nested
  class Speaking extends ClientsContract {
    Speaking() {
      super(new Http2());
    }
  }

  private static final class Http2 implements JaxRs {

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

    @Override
    public ShopHost start(Application application) throws Exception {
      return JettyHost.startHttp2(context -> servlet(application, context));
    }
  }
}
