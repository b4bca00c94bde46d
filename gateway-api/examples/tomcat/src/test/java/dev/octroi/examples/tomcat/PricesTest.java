package dev.octroi.examples.tomcat;

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
import org.apache.catalina.startup.Tomcat;
import org.h2.jdbcx.JdbcConnectionPool;
import org.junit.jupiter.api.Test;

class PricesTest {

  @Test
  void pricesCostACentAndAreHadForIt() throws Exception {
    Tomcat tomcat =
        Prices.open(JdbcConnectionPool.create("jdbc:h2:mem:prices;DB_CLOSE_DELAY=-1", "", ""), 0);
    try {
      int port = tomcat.getConnector().getLocalPort();
      HttpRequest prices =
          HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/prices/today")).build();
      HttpClient http = HttpClient.newHttpClient();
      assertThat(http.send(prices, BodyHandlers.discarding()).statusCode()).isEqualTo(402);

      PaidAnswer answer =
          new PayingClient(
                  http,
                  new PaymentSigner(Wallet.generate(), Clock.systemUTC()),
                  SpendingLimit.of(Usd.parse("0.01")))
              .send(prices);

      assertThat(answer.status()).isEqualTo(200);
      assertThat(new String(answer.body())).startsWith("tea,2.50");
      assertThat(answer.receipt().success()).isTrue();
    } finally {
      tomcat.stop();
      tomcat.destroy();
    }
  }
}
