package dev.octroi.payments.servlet;

import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletContextEvent;
import jakarta.servlet.ServletContextListener;
import java.net.URI;
import java.nio.file.Path;
import java.util.function.Consumer;
import org.eclipse.jetty.ee10.servlet.DefaultServlet;
import org.eclipse.jetty.ee10.servlet.ErrorPageErrorHandler;
import org.eclipse.jetty.ee10.servlet.ServletContextHandler;
import org.eclipse.jetty.ee10.servlet.ServletHolder;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;

/** The servlet face on Jetty. */
class JettyPaymentServletFilterTest extends PaymentServletFilterContract {

  static ServletServer jetty() {
    return new Jetty();
  }

  @Override
  ServletServer server() {
    return jetty();
  }

  private static final class Jetty implements ServletServer {

    private final Server server = new Server();
    private final ServerConnector connector = new ServerConnector(server, 1, 1);

    @Override
    public void start(Consumer<ServletContext> application, Path folder, String errorPage)
        throws Exception {
      connector.setHost("127.0.0.1");
      server.addConnector(connector);
      ServletContextHandler context = new ServletContextHandler("/shop");
      context.setBaseResourceAsPath(folder);
      context.setWelcomeFiles(new String[] {"index.html"});
      context.addEventListener(
          new ServletContextListener() {
            @Override
            public void contextInitialized(ServletContextEvent event) {
              application.accept(event.getServletContext());
            }
          });
      ErrorPageErrorHandler errors = new ErrorPageErrorHandler();
      errors.addErrorPage(404, errorPage);
      context.setErrorHandler(errors);
      ServletHolder files = new ServletHolder(new DefaultServlet());
      files.setAsyncSupported(true);
      context.addServlet(files, "/");
      server.setHandler(context);
      server.start();
    }

    @Override
    public URI base() {
      return URI.create("http://127.0.0.1:" + connector.getLocalPort() + "/shop/");
    }

    @Override
    public void stop() throws Exception {
      server.stop();
    }
  }
}
