package dev.octroi.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.Gauge;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What is counted, and who may read it. */
class MetricsTest {

  private static final String READ = "/v1/marketplace/cryptodata/market/etf";
  private static final String OF_READ =
      "endpoint=\"/v1/marketplace/cryptodata/market/etf\",group=\"cryptodata\"";

  private static Admin admin;
  private static GatewayHost host;

  @BeforeAll
  static void start() {
    admin = new Admin(Map.of());
    host = admin.host();
  }

  @AfterAll
  static void stop() {
    admin.close();
  }

  private static ScrapedMetrics scrape() {
    HttpResponse<String> answer = host.http().get("/metrics");
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    return new ScrapedMetrics(answer.body());
  }

  @Test
  void aPaidCallIsCountedTimedAndItsMoneyAdded() {
    ScrapedMetrics before = scrape();
    assertThat(host.paid(READ).status()).isEqualTo(200);
    System.gc(); // figures outlive what only they look at
    ScrapedMetrics after = scrape();
    for (String status : new String[] {"402", "2xx"}) {
      String label = "status=\"" + status + "\"";
      assertThat(after.sum("octroi_calls_total", OF_READ, label))
          .isEqualTo(before.sum("octroi_calls_total", OF_READ, label) + 1);
      assertThat(after.sum("octroi_call_seconds_count", "group=\"cryptodata\"", label))
          .isPositive();
    }
    assertThat(after.sum("octroi_charge_dollars_count", OF_READ))
        .isEqualTo(before.sum("octroi_charge_dollars_count", OF_READ) + 1);
    assertThat(after.sum("octroi_charge_dollars_sum", OF_READ))
        .isGreaterThan(before.sum("octroi_charge_dollars_sum", OF_READ));
    assertThat(after.sum("octroi_payment_step_seconds_count", "step=\"verify\"", "\"valid\""))
        .isPositive();
    assertThat(after.sum("octroi_payment_step_seconds_count", "step=\"claim\"", "\"claimed\""))
        .isPositive();
    assertThat(after.sum("octroi_payment_step_seconds_count", "step=\"settle\"", "\"settled\""))
        .isPositive();
    assertThat(after.sum("octroi_upstream_seconds_count", "upstream=\"cryptodata\"", "\"2xx\""))
        .isPositive();
    assertThat(after.sum("octroi_cache_reads_total", "group=\"cryptodata\"", "\"miss\""))
        .isPositive();
    assertThat(after.sum("jvm_memory_used_bytes")).isPositive();
    assertThat(after.sum("octroi_ledger_alive")).isEqualTo(1);
  }

  @Test
  void aCallThatFailsGivesItsPaymentBackAndIsCountedAsThat() {
    host.vendor().says("/market/fear-greed", 500, "{}");
    assertThat(host.paid("/v1/marketplace/cryptodata/market/fear-greed").status()).isEqualTo(502);
    ScrapedMetrics after = scrape();
    assertThat(after.sum("octroi_payment_step_seconds_count", "step=\"release\"")).isPositive();
    assertThat(after.sum("octroi_calls_total", "market/fear-greed", "status=\"5xx\"")).isPositive();
    assertThat(after.sum("octroi_charge_dollars_count", "market/fear-greed")).isZero();
  }

  @Test
  void labelsAreTemplatesWhateverCallersMakeUp() {
    String wallet = "0x" + "ab".repeat(20);
    host.http().get("/v1/marketplace/prediction/venue-a/wallet/" + wallet);
    host.http().get("/v1/marketplace/cryptodata/made/up/brew-4711");
    host.http().get("/made-up-brew-4711");
    HttpRequest odd =
        host.http().request(READ).method("BREW-4711", BodyPublishers.noBody()).build();
    host.http().send(odd);
    ScrapedMetrics after = scrape();
    assertThat(after.text()).doesNotContainIgnoringCase(wallet, "brew-4711");
    assertThat(after.sum("octroi_calls_total", "venue-a/wallet/{wallet}", "\"402\"")).isEqualTo(1);
    assertThat(after.sum("octroi_calls_total", "unmatched", "\"4xx\"")).isPositive();
    assertThat(after.sum("octroi_calls_total", "method=\"OTHER\"")).isEqualTo(1);
  }

  @Test
  void probesAndScrapesAreNoCalls() {
    host.http().get("/health/ready");
    scrape();
    assertThat(scrape().text()).doesNotContain("\"/metrics\"", "/health");
  }

  @Test
  void whatAProxyForwardsNeedsTheOperatorsToken() {
    HttpRequest forwarded =
        host.http().request("/metrics").header("X-Forwarded-For", "127.0.0.1").build();
    assertThat(host.http().send(forwarded).statusCode()).isEqualTo(401);
    HttpRequest known =
        host.http()
            .request("/metrics")
            .header("X-Forwarded-For", "203.0.113.9")
            .header("Authorization", "Bearer " + Admin.TOKEN)
            .build();
    assertThat(host.http().send(known).statusCode()).isEqualTo(200);
  }

  @Test
  void aWebPageOfAnotherSiteNeedsTheOperatorsToken() {
    String read = "GET /metrics HTTP/1.1\r\nConnection: close\r\n";
    try (GatewayHost open =
        new GatewayHost(
            Map.of("gateway.admin.token", Admin.TOKEN, "gateway.sandbox.allowed-origins", "*"))) {
      assertThat(open.http().raw(read + "Host: rebound.example\r\n\r\n"))
          .startsWith("HTTP/1.1 401");
      assertThat(open.http().raw(read + "Host: localhost\r\nOrigin: https://evil.example\r\n\r\n"))
          .startsWith("HTTP/1.1 401");
      assertThat(open.http().raw(read + "Host: localhost\r\n\r\n")).startsWith("HTTP/1.1 200");
    }
  }

  @Test
  void withoutAListAndWithoutATokenThereIsNothing() {
    try (GatewayHost closed = new GatewayHost(Map.of("gateway.metrics.readers", "10.0.0.0/8"))) {
      assertThat(closed.http().get("/metrics").statusCode()).isEqualTo(404);
    }
  }

  @Test
  void whatIsNotCountedIsNotServed() {
    try (GatewayHost off = new GatewayHost(Map.of("gateway.metrics.enabled", "false"))) {
      assertThat(off.paid(READ).status()).isEqualTo(200);
      assertThat(off.http().get("/metrics").statusCode()).isEqualTo(404);
    }
  }

  @Test
  void aHostsOwnFiguresAreShownBesides() {
    try (GatewayHost with =
        GatewayHost.with(
            Map.of(),
            builder ->
                builder.figures(
                    registry -> Gauge.builder("cellar.barrels", () -> 3).register(registry)))) {
      assertThat(new ScrapedMetrics(with.http().get("/metrics").body()).sum("cellar_barrels"))
          .isEqualTo(3);
    }
  }

  @Test
  void callsThatALimitRefusesAreCounted() {
    try (GatewayHost strict = new GatewayHost(Map.of("gateway.limits.unpaid-per-minute", "1"))) {
      assertThat(strict.http().get(READ).statusCode()).isEqualTo(402);
      assertThat(strict.http().get(READ).statusCode()).isEqualTo(429);
      ScrapedMetrics after = new ScrapedMetrics(strict.http().get("/metrics").body());
      assertThat(after.sum("octroi_limits_hit_total", "\"unpaid_rate\"")).isEqualTo(1);
      assertThat(after.sum("octroi_calls_total", "status=\"429\"")).isEqualTo(1);
    }
  }
}
