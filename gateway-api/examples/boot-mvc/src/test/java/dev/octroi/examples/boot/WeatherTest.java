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
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Clock;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.jdbc.core.JdbcTemplate;

@SpringBootTest(
    webEnvironment = WebEnvironment.RANDOM_PORT,
    properties = "spring.datasource.url=jdbc:h2:mem:weather;DB_CLOSE_DELAY=-1")
class WeatherTest {

  private final HttpClient http = HttpClient.newHttpClient();

  @LocalServerPort private int port;
  @Autowired private JdbcTemplate database;

  @Test
  void theWeatherCostsACentAndIsHadForIt() throws Exception {
    assertThat(http.send(call("/weather/lisbon"), BodyHandlers.discarding()).statusCode())
        .isEqualTo(402);

    PaidAnswer answer = client().send(call("/weather/lisbon"));

    assertThat(answer.status()).isEqualTo(200);
    assertThat(new String(answer.body())).contains("\"city\":\"lisbon\"");
    assertThat(answer.receipt().success()).isTrue();
  }

  @Test
  void whatIsNotThereIsNotCharged() throws Exception {
    PaidAnswer answer = client().send(call("/weather/lisbon/tomorrow"));

    assertThat(answer.status()).isEqualTo(404);
    assertThat(answer.receipt()).isNull();
  }

  @Test
  void whatHasNoPriceIsFree() throws Exception {
    HttpResponse<Void> answer = http.send(call("/nothing"), BodyHandlers.discarding());

    assertThat(answer.statusCode()).isEqualTo(404);
  }

  /** The versions are Spring Boot's, and both migrations are there. */
  @Test
  void theApplicationKeepsItsOwnVersionsAndMigrations() {
    assertThat(org.h2.engine.Constants.VERSION).isEqualTo("2.3.232");
    assertThat(org.flywaydb.core.internal.license.VersionPrinter.getVersion())
        .startsWith("11.7.");
    assertThat(database.queryForObject("SELECT count(*) FROM city", Integer.class)).isZero();
    assertThat(
            database.queryForList(
                "SELECT table_schema FROM information_schema.tables WHERE table_name = 'PAYMENT'",
                String.class))
        .containsExactly("octroi");
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
