package dev.octroi.payments.servlet;

import dev.octroi.payments.jaxrs.TestMoney;
import dev.octroi.payments.jaxrs.TestPayer;
import dev.octroi.payments.setup.Payments;
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
          application -> {
            new PaymentServletFilter(payments, new PathPrices().paid("/page", "0.01"))
                .register(application);
            application.addServlet("page", new Page()).addMapping("/page");
          },
          Files.createTempDirectory("octroi-alone"),
          "/page");
      TestPayer payer = new TestPayer(server.base());
      HttpResponse<String> sold = payer.buy("page");
      return payer.get("page").statusCode() + " then " + sold.statusCode() + " " + sold.body();
    } finally {
      server.stop();
      money.close();
    }
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
