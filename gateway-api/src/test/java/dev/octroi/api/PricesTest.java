package dev.octroi.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.octroi.api.settings.InvalidSettings;
import dev.octroi.payments.client.PaidAnswer;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The price book over HTTP: two nodes on one database, of which one has read the new prices. */
class PricesTest {

  private static final String READ = "/v1/marketplace/cryptodata/market/etf";

  @TempDir private Path folder;

  private Map<String, String> changed(Duration ago) throws IOException {
    Path file = folder.resolve("prices.properties");
    Files.write(
        file,
        List.of(
            "version.new.from=" + Instant.now().minus(ago),
            "version.new.row.GET" + READ + "=0.02"));
    return Map.of("gateway.prices.file", file.toString(), "gateway.database.node", "second");
  }

  @Test
  @Tag("spec:operator.prices.specific")
  void theBooksPriceIsAskedAndPaid() throws IOException {
    try (GatewayHost host = new GatewayHost(changed(Duration.ofHours(1)))) {
      assertThat(host.http().get(READ).body()).contains("\"amount\":\"20000\"");
      PaidAnswer paid = host.paid(READ);
      assertThat(paid.status()).isEqualTo(200);
      assertThat(paid.headers().firstValue("X-Price-Amount")).contains("0.020000");
    }
  }

  @Test
  @Tag("spec:operator.prices.grace")
  void aPaymentForTheFormerPriceIsTakenWithinTheGraceAndChargedWhatItPays() throws IOException {
    try (GatewayHost listed = new GatewayHost(Map.of());
        GatewayHost changed = listed.beside(changed(Duration.ofSeconds(60)))) {
      HttpResponse<String> sold = send(changed, listed.payment(READ));
      assertThat(sold.statusCode()).isEqualTo(200);
      assertThat(sold.headers().firstValue("X-Price-Amount")).contains("0.009500");
    }
  }

  @Test
  @Tag("spec:operator.prices.grace")
  void aPaymentForTheFormerPriceBuysNothingAfterTheGrace() throws IOException {
    try (GatewayHost listed = new GatewayHost(Map.of());
        GatewayHost changed = listed.beside(changed(Duration.ofSeconds(600)))) {
      HttpResponse<String> refused = send(changed, listed.payment(READ));
      assertThat(refused.statusCode()).isEqualTo(402);
      assertThat(refused.body())
          .contains("\"amount\":\"20000\"", "\"error\":\"invalid_payment_requirements\"");
      assertThat(changed.vendor().asked()).isEmpty();
    }
  }

  private static HttpResponse<String> send(GatewayHost host, String payment) {
    return host.http().send(host.http().request(READ).header("PAYMENT-SIGNATURE", payment).build());
  }

  @Test
  @Tag("spec:operator.prices.checked")
  void aBookWithProblemsKeepsTheGatewayFromStarting() throws IOException {
    Path file = folder.resolve("prices.properties");
    Files.writeString(file, "group.nothing=1\nrow.GET/v1/nothing=2\n");
    assertThatThrownBy(
            () -> new GatewayUnderTest(Map.of("gateway.prices.file", file.toString())).close())
        .isInstanceOf(InvalidSettings.class)
        .hasMessageContaining("prices.properties:1")
        .hasMessageContaining("prices.properties:2");
  }
}
