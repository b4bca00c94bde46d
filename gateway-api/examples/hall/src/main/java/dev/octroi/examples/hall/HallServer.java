package dev.octroi.examples.hall;

import jakarta.ws.rs.core.Application;
import java.net.URI;
import org.eclipse.jetty.ee10.servlet.ServletContextHandler;
import org.eclipse.jetty.ee10.servlet.ServletHolder;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.handler.GracefulHandler;
import org.eclipse.jetty.util.component.LifeCycle;
import org.glassfish.jersey.server.ResourceConfig;
import org.glassfish.jersey.server.ServerProperties;
import org.glassfish.jersey.servlet.ServletContainer;

/** Jersey on Jetty, on the loopback address. Thread-safe. */
final class HallServer implements AutoCloseable {

  /** A payment is a header of up to 16 KiB, more than Jetty takes by itself. */
  private static final int HEADER_BYTES = 40 * 1024;

  private static final int GRACE_MILLIS = 10_000;

  private final Server server;
  private final ServerConnector connector;

  private HallServer(Server server, ServerConnector connector) {
    this.server = server;
    this.connector = connector;
  }

  /** Starts to serve; 0 is any free port. */
  static HallServer start(Application application, int port) throws Exception {
    HttpConfiguration http = new HttpConfiguration();
    http.setRequestHeaderSize(HEADER_BYTES);
    http.setResponseHeaderSize(HEADER_BYTES);
    Server server = new Server();
    ServerConnector connector = new ServerConnector(server, new HttpConnectionFactory(http));
    connector.setHost("127.0.0.1");
    connector.setPort(port);
    server.addConnector(connector);
    server.setHandler(new GracefulHandler(servlet(application)));
    server.setStopTimeout(GRACE_MILLIS);
    server.start();
    return new HallServer(server, connector);
  }

  private static ServletContextHandler servlet(Application application) {
    ResourceConfig config = ResourceConfig.forApplication(application);
    config.property(ServerProperties.WADL_FEATURE_DISABLE, true);
    ServletHolder holder = new ServletHolder(new ServletContainer(config));
    // A price that is wrong then fails the start and not the first call.
    holder.setInitOrder(0);
    ServletContextHandler context = new ServletContextHandler("/");
    context.addServlet(holder, "/*");
    return context;
  }

  URI base() {
    return URI.create("http://127.0.0.1:" + connector.getLocalPort());
  }

  /** Takes no more calls, and waits for those in flight. */
  @Override
  public void close() {
    LifeCycle.stop(server);
  }
}
