package dev.octroi.war;

import jakarta.servlet.Servlet;
import java.net.URI;
import java.util.function.Function;
import org.eclipse.jetty.ee10.servlet.ServletContextHandler;
import org.eclipse.jetty.ee10.servlet.ServletHolder;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.component.LifeCycle;

/** A servlet below a context path, on a loopback port of its own. */
final class JettyHost implements AutoCloseable {

  private static final int HEADER_BYTES = 40 * 1024;

  private final Server server = new Server();
  private final ServerConnector connector;

  private JettyHost() {
    HttpConfiguration http = new HttpConfiguration();
    http.setRequestHeaderSize(HEADER_BYTES);
    http.setResponseHeaderSize(HEADER_BYTES);
    connector = new ServerConnector(server, 1, 1, new HttpConnectionFactory(http));
    connector.setHost("127.0.0.1");
    server.addConnector(connector);
  }

  static JettyHost start(Function<ServletContextHandler, Servlet> servlet) throws Exception {
    JettyHost host = new JettyHost();
    ServletContextHandler context = new ServletContextHandler("/market");
    context.addServlet(new ServletHolder(servlet.apply(context)), "/api/*");
    host.server.setHandler(context);
    host.server.start();
    // A servlet that cannot be deployed shows it at its first use.
    context.getServletHandler().initialize();
    return host;
  }

  URI base() {
    return URI.create("http://127.0.0.1:" + connector.getLocalPort() + "/market/api/");
  }

  @Override
  public void close() {
    LifeCycle.stop(server);
  }
}
