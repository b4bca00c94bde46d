package dev.octroi.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.octroi.payments.x402.PaymentRequired;
import java.net.http.HttpRequest;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What a challenge calls the resource: as the operator, a proxy or the connector says. */
@Tag("spec:decision.base_url")
class ResourceAddressTest {

  private static final String READ = "/v1/marketplace/cryptodata/market/etf";
  private static final String PROXIES = "gateway.http.trusted-proxies";

  @Test
  void withoutSettingsItIsWhatTheConnectorSaw() {
    try (GatewayHost host = new GatewayHost(Map.of())) {
      assertThat(resource(host)).isEqualTo(host.http().base() + READ);
    }
  }

  @Test
  void aTrustedProxysWordIsTaken() {
    Map<String, String> settings =
        Map.of(PROXIES, "127.0.0.1", "gateway.http.hosts", "pay.example");
    try (GatewayHost host = new GatewayHost(settings)) {
      assertThat(resource(host)).isEqualTo("https://pay.example" + READ);
    }
  }

  @Test
  void aStrangersWordIsNotTakenWhereSomebodyElseIsTrusted() {
    try (GatewayHost host = new GatewayHost(Map.of(PROXIES, "10.0.0.0/8"))) {
      assertThat(resource(host)).isEqualTo(host.http().base() + READ);
    }
  }

  @Test
  void thePublicAddressStandsAboveAll() {
    Map<String, String> settings =
        Map.of(
            "gateway.http.public-url",
            "http://127.0.0.1:7/gate",
            "gateway.http.hosts",
            "pay.example",
            PROXIES,
            "127.0.0.1");
    try (GatewayHost host = new GatewayHost(settings)) {
      assertThat(resource(host)).isEqualTo("http://127.0.0.1:7/gate" + READ);
    }
  }

  private static String resource(GatewayHost host) {
    HttpRequest forwarded =
        host.http()
            .request(READ)
            .header("X-Forwarded-Proto", "https")
            .header("X-Forwarded-Host", "pay.example")
            .build();
    String challenge =
        host.http().send(forwarded).headers().firstValue("PAYMENT-REQUIRED").orElseThrow();
    return PaymentRequired.read(challenge).resource().url();
  }
}
