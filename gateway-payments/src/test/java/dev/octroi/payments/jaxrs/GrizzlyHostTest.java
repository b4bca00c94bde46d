package dev.octroi.payments.jaxrs;

import jakarta.servlet.Servlet;
import jakarta.ws.rs.core.Application;
import jakarta.ws.rs.ext.RuntimeDelegate;
import java.net.URI;
import org.eclipse.jetty.ee10.servlet.ServletContextHandler;
import org.glassfish.grizzly.http.server.HttpServer;
import org.glassfish.grizzly.http.server.NetworkListener;
import org.glassfish.jersey.grizzly2.httpserver.GrizzlyHttpServerFactory;
import org.glassfish.jersey.server.ResourceConfig;
import org.glassfish.jersey.server.ServerProperties;
import org.glassfish.jersey.server.internal.RuntimeDelegateImpl;
import org.junit.jupiter.api.Nested;

/** A server without servlets, which holds a request that offers an upgrade for one with a body. */
class GrizzlyHostTest {

  @Nested
  class Refusing extends RefusalContract {
    Refusing() {
      super(new Grizzly());
    }
  }

  @Nested
  class Sales extends SaleContract {
    Sales() {
      super(new Grizzly());
    }
  }

  @Nested
  class Bodies extends BodyContract {
    Bodies() {
      super(new Grizzly());
    }

    @Override
    boolean refusesBrokenBodies() {
      return true;
    }
  }

  private static final class Grizzly implements JaxRs {

    private static final int HEADER_BYTES = 64 * 1024;
    private static final URI ANY_PORT = URI.create("http://127.0.0.1:0/shop/api/");

    @Override
    public RuntimeDelegate delegate() {
      return new RuntimeDelegateImpl();
    }

    @Override
    public Servlet servlet(Application application, ServletContextHandler context) {
      throw new UnsupportedOperationException("there are no servlets");
    }

    @Override
    public ShopHost start(Application application) throws Exception {
      ResourceConfig config = ResourceConfig.forApplication(application);
      config.property(ServerProperties.OUTBOUND_CONTENT_LENGTH_BUFFER, 0);
      HttpServer server = GrizzlyHttpServerFactory.createHttpServer(ANY_PORT, config, false);
      NetworkListener listener = server.getListeners().iterator().next();
      listener.setMaxHttpHeaderSize(HEADER_BYTES);
      server.start();
      return new ShopHost() {
        @Override
        public URI base() {
          return URI.create("http://127.0.0.1:" + listener.getPort() + "/shop/api/");
        }

        /** It closes one on which an upgrade was offered, and does not always say so. */
        @Override
        public boolean keepsConnections() {
          return false;
        }

        @Override
        public void stop() {
          server.shutdownNow();
        }
      };
    }
  }
}
