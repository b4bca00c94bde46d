package dev.octroi.examples.shop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.octroi.payments.Usd;
import dev.octroi.payments.client.PaidAnswer;
import dev.octroi.payments.client.PayingClient;
import dev.octroi.payments.client.PaymentSigner;
import dev.octroi.payments.client.SpendingLimit;
import dev.octroi.payments.client.Wallet;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Clock;
import org.glassfish.grizzly.http.server.HttpServer;
import org.h2.jdbcx.JdbcConnectionPool;
import org.junit.jupiter.api.Test;

class ShopTest {

  @Test
  void theReportCostsACentAndIsHadForIt() throws Exception {
    HttpServer shop =
        Shop.open(JdbcConnectionPool.create("jdbc:h2:mem:shop;DB_CLOSE_DELAY=-1", "", ""), 0);
    try {
      int port = shop.getListener("grizzly").getPort();
      HttpRequest report =
          HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/report")).build();
      HttpClient http = HttpClient.newHttpClient();
      assertThat(http.send(report, BodyHandlers.discarding()).statusCode()).isEqualTo(402);

      PaidAnswer answer =
          new PayingClient(
                  http,
                  new PaymentSigner(Wallet.generate(), Clock.systemUTC()),
                  SpendingLimit.of(Usd.parse("0.01")))
              .send(report);

      assertThat(answer.status()).isEqualTo(200);
      assertThat(new String(answer.body())).contains("Lisbon");
      assertThat(answer.receipt().success()).isTrue();
    } finally {
      shop.shutdownNow();
    }
  }
}
