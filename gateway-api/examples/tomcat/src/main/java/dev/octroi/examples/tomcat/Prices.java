package dev.octroi.examples.tomcat;

import dev.octroi.db.Migrations;
import dev.octroi.payments.servlet.PathPrices;
import dev.octroi.payments.servlet.PaymentServletFilter;
import dev.octroi.payments.setup.Payments;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.file.Files;
import javax.sql.DataSource;
import org.apache.catalina.Context;
import org.apache.catalina.startup.Tomcat;
import org.h2.jdbcx.JdbcConnectionPool;

/** Sells prices for a cent: a servlet that knows nothing of that. */
public final class Prices extends HttpServlet {

  private static final long serialVersionUID = 1L;

  private static final String BOOKS =
      "jdbc:h2:async:./prices-data/prices;WRITE_DELAY=0;DB_CLOSE_ON_EXIT=FALSE";

  @Override
  protected void doGet(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    response.setContentType("text/csv");
    response.getWriter().write("tea,2.50\ncoffee,3.10\n");
  }

  public static void main(String[] args) throws Exception {
    open(JdbcConnectionPool.create(BOOKS, "", ""), 8484).getServer().await();
  }

  static Tomcat open(DataSource database, int port) throws Exception {
    Migrations.apply(database);
    Payments payments = Payments.sandbox(database).build();
    Tomcat tomcat = new Tomcat();
    tomcat.setBaseDir(Files.createTempDirectory("prices").toString());
    tomcat.setPort(port);
    tomcat.getConnector().setProperty("maxHttpRequestHeaderSize", "40960");
    Context context = tomcat.addContext("", null);
    Tomcat.addServlet(context, "prices", new Prices());
    context.addServletMappingDecoded("/prices/*", "prices");
    context.addServletContainerInitializer(
        (classes, application) ->
            new PaymentServletFilter(payments, new PathPrices().paid("/prices/*", "0.01"))
                .register(application),
        null);
    tomcat.start();
    return tomcat;
  }
}
