package dev.octroi.junit;

import jakarta.servlet.Servlet;
import java.net.URI;
import org.eclipse.jetty.ee10.servlet.ServletContextHandler;
import org.eclipse.jetty.ee10.servlet.ServletHolder;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.component.LifeCycle;

/** A servlet on a free loopback port. Thread-safe. */
final class LoopbackServer implements AutoCloseable {

  /** A payment is a header of up to 16 KiB, beside the caller's others. */
  private static final int HEADER_BYTES = 40 * 1024;

  private final Server server;
  private final ServerConnector connector;

  private LoopbackServer(Server server, ServerConnector connector) {
    this.server = server;
    this.connector = connector;
  }

  /** Deploys and serves it, or throws why it cannot be deployed. */
  static LoopbackServer start(Servlet servlet) throws Exception {
    HttpConfiguration http = new HttpConfiguration();
    http.setRequestHeaderSize(HEADER_BYTES);
    http.setResponseHeaderSize(HEADER_BYTES);
    Server server = new Server();
    ServerConnector connector = new ServerConnector(server, 1, 1, new HttpConnectionFactory(http));
    connector.setHost("127.0.0.1");
    server.addConnector(connector);
    ServletContextHandler context = new ServletContextHandler("/");
    ServletHolder holder = new ServletHolder(servlet);
    holder.setInitOrder(0);
    context.addServlet(holder, "/*");
    server.setHandler(context);
    LoopbackServer started = new LoopbackServer(server, connector);
    try {
      server.start();
      return started;
    } catch (Exception e) {
      started.close();
      throw e;
    }
  }

  URI base() {
    return URI.create("http://127.0.0.1:" + connector.getLocalPort());
  }

  @Override
  public void close() {
    LifeCycle.stop(server);
  }
}
