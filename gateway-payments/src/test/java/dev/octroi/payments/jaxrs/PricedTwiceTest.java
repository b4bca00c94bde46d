package dev.octroi.payments.jaxrs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.octroi.payments.Paid;
import dev.octroi.payments.servlet.PathPrices;
import dev.octroi.payments.servlet.PaymentServletFilter;
import dev.octroi.payments.setup.Payments;
import jakarta.servlet.DispatcherType;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import java.net.http.HttpResponse;
import java.util.EnumSet;
import org.eclipse.jetty.ee10.servlet.FilterHolder;
import org.glassfish.jersey.server.ResourceConfig;
import org.glassfish.jersey.servlet.ServletContainer;
import org.junit.jupiter.api.Test;

/** A host that gives one path a price in the servlet filter and by the annotation. */
class PricedTwiceTest {

  /** What both sell. */
  @Path("/")
  public static final class Both {

    @GET
    @Path("page")
    @Paid("0.01")
    public String page() {
      return "what is sold";
    }
  }

  /** It was 409, as if another call had the payment, however often the payer came back. */
  @Test
  void aPathWithTwoPricesIsTheHostsFaultAndChargesNothing() throws Exception {
    TestMoney money = new TestMoney();
    Payments.Builder builder = Payments.builder().ledger(money.ledger());
    TestMoney.options().forEach(builder::accept);
    money.facilitators().forEach(builder::facilitator);
    try (Payments payments = builder.build()) {
      ResourceConfig application =
          new ResourceConfig().register(new Both()).register(new PaymentsFeature(payments));
      PathPrices prices = new PathPrices().paid("/api/page", "0.01");
      JettyHost host =
          JettyHost.start(
              context -> {
                FilterHolder filter = new FilterHolder(new PaymentServletFilter(payments, prices));
                filter.setAsyncSupported(true);
                context.addFilter(filter, "/*", EnumSet.of(DispatcherType.REQUEST));
                return new ServletContainer(application);
              });
      try {
        TestPayer payer = new TestPayer(host.base());

        HttpResponse<String> answer = payer.buy("page");

        assertThat(answer.statusCode()).isEqualTo(500);
        assertThat(answer.body()).doesNotContain("what is sold");
        assertThat(money.balance(payer.address())).isEqualTo(1_000_000_000L);
      } finally {
        host.stop();
      }
    } finally {
      money.close();
    }
  }
}
