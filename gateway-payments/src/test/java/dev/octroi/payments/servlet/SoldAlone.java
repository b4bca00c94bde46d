package dev.octroi.payments.servlet;

import dev.octroi.payments.jaxrs.TestMoney;
import dev.octroi.payments.jaxrs.TestPayer;
import dev.octroi.payments.setup.Payments;
import jakarta.servlet.ServletContext;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;

/** One sale, run by a class loader that has no JAX-RS. */
public final class SoldAlone {

  private SoldAlone() {}

  /** Sells a page; returns what the payer saw. */
  public static String sell() throws Exception {
    TestMoney money = new TestMoney();
    Payments.Builder builder = Payments.builder().ledger(money.ledger());
    TestMoney.options().forEach(builder::accept);
    money.facilitators().forEach(builder::facilitator);
    ServletServer server = JettyPaymentServletFilterTest.jetty();
    try (Payments payments = builder.build()) {
      server.start(
          servletContext -> {
            sell(payments, servletContext);
            servletContext.addServlet("page", new Page()).addMapping("/reports/today");
          },
          Files.createTempDirectory("octroi-alone"),
          "/reports/today");
      TestPayer payer = new TestPayer(server.base());
      HttpResponse<String> sold = payer.buy("reports/today");
      return payer.get("reports/today").statusCode()
          + " then "
          + sold.statusCode()
          + " "
          + sold.body();
    } finally {
      server.stop();
      money.close();
    }
  }

  private static void sell(Payments payments, ServletContext servletContext) {
    new PaymentServletFilter(
            payments,
            new PathPrices()
                .paid("/reports/*", "0.01")
                .paid("GET", "/prices.csv", "0.02")
                .free("/reports/samples"))
        .register(servletContext);
  }

  private static final class Page extends HttpServlet {

    private static final long serialVersionUID = 1L;

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
        throws IOException {
      response.setContentType("text/plain");
      response.getWriter().write("what is sold");
    }
  }
}
