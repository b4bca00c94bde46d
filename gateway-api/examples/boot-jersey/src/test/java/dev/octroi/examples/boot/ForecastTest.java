package dev.octroi.examples.boot;

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
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;

@SpringBootTest(
    webEnvironment = WebEnvironment.RANDOM_PORT,
    properties = "spring.datasource.url=jdbc:h2:mem:forecast;DB_CLOSE_DELAY=-1")
class ForecastTest {

  private final HttpClient http = HttpClient.newHttpClient();

  @LocalServerPort private int port;

  @Test
  void aForecastCostsACentAndIsHadForIt() throws Exception {
    assertThat(http.send(call("/forecast/lisbon"), BodyHandlers.discarding()).statusCode())
        .isEqualTo(402);

    PaidAnswer answer = client().send(call("/forecast/lisbon"));

    assertThat(answer.status()).isEqualTo(200);
    assertThat(new String(answer.body())).contains("\"city\":\"lisbon\"");
    assertThat(answer.receipt().success()).isTrue();
  }

  @Test
  void theApplicationKeepsItsOwnVersions() {
    assertThat(org.h2.engine.Constants.VERSION).isEqualTo("2.3.232");
  }

  private PayingClient client() {
    return new PayingClient(
        http,
        new PaymentSigner(Wallet.generate(), Clock.systemUTC()),
        SpendingLimit.of(Usd.parse("0.01")));
  }

  private HttpRequest call(String path) {
    return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path)).build();
  }
}
