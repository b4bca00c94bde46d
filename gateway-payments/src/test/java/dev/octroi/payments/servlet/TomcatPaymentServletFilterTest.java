package dev.octroi.payments.servlet;

import jakarta.servlet.ServletContext;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.function.Consumer;
import org.apache.catalina.Context;
import org.apache.catalina.Wrapper;
import org.apache.catalina.servlets.DefaultServlet;
import org.apache.catalina.startup.Tomcat;
import org.apache.tomcat.util.descriptor.web.ErrorPage;

/** The servlet face on Tomcat. */
class TomcatPaymentServletFilterTest extends PaymentServletFilterContract {

  @Override
  ServletServer server() {
    return new Embedded();
  }

  private static final class Embedded implements ServletServer {

    private final Tomcat tomcat = new Tomcat();

    @Override
    public void start(Consumer<ServletContext> application, Path folder, String errorPage)
        throws Exception {
      tomcat.setBaseDir(Files.createTempDirectory("octroi-tomcat").toString());
      tomcat.setPort(0);
      tomcat.getConnector().setProperty("address", "127.0.0.1");
      Context context = tomcat.addContext("/shop", folder.toString());
      context.addWelcomeFile("index.html");
      context.addServletContainerInitializer(
          (classes, starting) -> application.accept(starting), Set.of());
      ErrorPage page = new ErrorPage();
      page.setErrorCode(404);
      page.setLocation(errorPage);
      context.addErrorPage(page);
      Wrapper files = Tomcat.addServlet(context, "files", new DefaultServlet());
      files.setAsyncSupported(true);
      files.addMapping("/");
      tomcat.start();
    }

    @Override
    public URI base() {
      return URI.create("http://127.0.0.1:" + tomcat.getConnector().getLocalPort() + "/shop/");
    }

    @Override
    public void stop() throws Exception {
      tomcat.stop();
      tomcat.destroy();
    }
  }
}
