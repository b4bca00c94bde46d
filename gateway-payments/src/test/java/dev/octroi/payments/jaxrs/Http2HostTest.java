package dev.octroi.payments.jaxrs;

import jakarta.servlet.Servlet;
import jakarta.ws.rs.core.Application;
import jakarta.ws.rs.ext.RuntimeDelegate;
import java.net.http.HttpClient;
import org.eclipse.jetty.ee10.servlet.ServletContextHandler;
import org.glassfish.jersey.server.ResourceConfig;
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

  private static final class Http2 implements JaxRs {

    @Override
    public RuntimeDelegate delegate() {
      return new RuntimeDelegateImpl();
    }

    @Override
    public Servlet servlet(Application application, ServletContextHandler context) {
      return new ServletContainer(ResourceConfig.forApplication(application));
    }

    @Override
    public ShopHost start(Application application) throws Exception {
      return JettyHost.startHttp2(context -> servlet(application, context));
    }
  }
}
