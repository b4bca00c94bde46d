package dev.octroi.payments.jaxrs;

import jakarta.servlet.Servlet;
import java.net.URI;
import java.util.function.Function;
import org.eclipse.jetty.ee10.servlet.ServletContextHandler;
import org.eclipse.jetty.ee10.servlet.ServletHolder;
import org.eclipse.jetty.http2.server.HTTP2CServerConnectionFactory;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;

/** A servlet on a loopback port of its own. */
final class JettyHost implements ShopHost {

  private static final int HEADER_BYTES = 64 * 1024;

  private final Server server = new Server();
  private final ServerConnector connector;

  private JettyHost() {
    HttpConfiguration http = new HttpConfiguration();
    // Room for payment headers over the gate's own limit, so that the gate is what refuses them.
    http.setRequestHeaderSize(HEADER_BYTES);
    connector = new ServerConnector(server, 1, 1, new HttpConnectionFactory(http));
    connector.setHost("127.0.0.1");
    server.addConnector(connector);
  }

  static JettyHost start(Function<ServletContextHandler, Servlet> servlet) throws Exception {
    return start(new JettyHost(), servlet);
  }

  /** The same, which also speaks HTTP/2 with clients that ask for it. */
  static JettyHost startHttp2(Function<ServletContextHandler, Servlet> servlet) throws Exception {
    JettyHost host = new JettyHost();
    HttpConfiguration http =
        host.connector.getConnectionFactory(HttpConnectionFactory.class).getHttpConfiguration();
    host.connector.addConnectionFactory(new HTTP2CServerConnectionFactory(http));
    return start(host, servlet);
  }

  private static JettyHost start(JettyHost host, Function<ServletContextHandler, Servlet> servlet)
      throws Exception {
    ServletContextHandler context = new ServletContextHandler("/shop");
    context.addServlet(new ServletHolder(servlet.apply(context)), "/api/*");
    host.server.setHandler(context);
    host.server.start();
    // A servlet that cannot be deployed shows it at its first use.
    context.getServletHandler().initialize();
    return host;
  }

  @Override
  public URI base() {
    return URI.create("http://127.0.0.1:" + connector.getLocalPort() + "/shop/api/");
  }

  @Override
  public void stop() throws Exception {
    server.stop();
  }
}
