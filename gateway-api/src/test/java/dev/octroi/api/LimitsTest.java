package dev.octroi.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.octroi.payments.client.PaidAnswer;
import dev.octroi.payments.client.Wallet;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class LimitsTest {

  private static final String READ = "/v1/marketplace/prediction/venue-a/events";
  private static final String CRYPTO_READ = "/v1/marketplace/cryptodata/market/etf";

  @Test
  @Tag("spec:error.prediction.rate_limited")
  @Tag("spec:limit.request_rate")
  @Tag("spec:error.shape.nested")
  void aPayerOverTheRateIsNested429UnchargedAndOthersAreNot() {
    try (GatewayHost host =
        new GatewayHost(Map.of("gateway.limits.requests-per-minute.prediction", "2"))) {
      assertThat(host.paid(READ).headers().firstValue("X-RateLimit-Remaining")).hasValue("1");
      PaidAnswer last = host.paid(READ);
      assertThat(last.status()).isEqualTo(200);
      assertThat(last.headers().firstValue("X-RateLimit-Limit")).hasValue("2");
      assertThat(last.headers().firstValue("X-RateLimit-Remaining")).hasValue("0");
      PaidAnswer over = host.paid(READ);
      assertThat(over.status()).isEqualTo(429);
      assertThat(over.headers().firstValue("X-RateLimit-Remaining")).hasValue("0");
      assertThat(over.headers().firstValueAsLong("X-RateLimit-Reset").orElseThrow())
          .isBetween(1L, 60L);
      assertThat(GatewayHost.text(over))
          .isEqualTo(
              "{\"error\":{\"code\":\"rate_limited\","
                  + "\"message\":\"Too many requests in this minute.\"}}");
      assertThat(over.receipt()).isNull();
      assertThat(over.headers().firstValueAsLong("Retry-After").orElseThrow()).isBetween(1L, 60L);
      assertThat(host.paid(host.http().request(READ).build(), Wallet.generate()).status())
          .isEqualTo(200);
    }
  }

  @Test
  @Tag("spec:error.crypto.rate_limited")
  @Tag("spec:limit.request_rate_other")
  void aGroupWithoutARateOfItsOwnHasTheGeneralOne() {
    try (GatewayHost host =
        new GatewayHost(Map.of("gateway.limits.other-requests-per-minute", "1"))) {
      assertThat(host.paid(CRYPTO_READ).status()).isEqualTo(200);
      PaidAnswer over = host.paid(CRYPTO_READ);
      assertThat(over.status()).isEqualTo(429);
      assertThat(GatewayHost.text(over)).contains("\"code\":\"rate_limited\"");
      assertThat(over.headers().firstValue("Retry-After")).isPresent();
      assertThat(over.receipt()).isNull();
      assertThat(host.paid(READ).status()).isEqualTo(200);
    }
  }

  @Test
  @Tag("spec:limit.request_rate")
  @Tag("spec:limit.payer")
  @Tag("spec:money.rates_divided")
  void eachNodeAllowsItsShareOfARateAndOneCallAtLeast() {
    Map<String, String> rates =
        Map.of(
            "gateway.limits.requests-per-minute.prediction", "5",
            "gateway.limits.requests-per-minute.cryptodata", "1");
    try (GatewayHost first = new GatewayHost(named("first", rates));
        GatewayHost second = first.beside(named("second", rates))) {
      assertThat(second.paid(READ).status()).isEqualTo(200);
      assertThat(second.paid(READ).status()).isEqualTo(200);
      assertThat(second.paid(READ).status()).isEqualTo(429);
      assertThat(second.paid(CRYPTO_READ).status()).isEqualTo(200);
      assertThat(second.paid(CRYPTO_READ).status()).isEqualTo(429);
    }
  }

  private static Map<String, String> named(String node, Map<String, String> settings) {
    Map<String, String> all = new HashMap<>(settings);
    all.put("gateway.database.node", node);
    return all;
  }

  @Test
  @Tag("spec:limit.unpaid")
  void anAddressOverTheRateOfUnpaidCallsGets429AndNoChallenge() {
    try (GatewayHost host =
        new GatewayHost(
            Map.of(
                "gateway.limits.unpaid-per-minute", "3",
                "gateway.http.trusted-proxies", "127.0.0.1"))) {
      for (int call = 0; call < 3; call++) {
        assertThat(unpaid(host, "203.0.113.5").statusCode()).isEqualTo(402);
      }
      HttpResponse<String> over = unpaid(host, "203.0.113.5");
      assertThat(over.statusCode()).isEqualTo(429);
      assertThat(over.body()).contains("\"code\":\"rate_limited\"");
      assertThat(over.headers().firstValue("PAYMENT-REQUIRED")).isEmpty();
      assertThat(over.headers().firstValue("Retry-After")).isPresent();
      assertThat(unpaid(host, "203.0.113.6").statusCode()).isEqualTo(402);
    }
  }

  @Test
  @Tag("spec:limit.unpaid")
  @Tag("spec:limit.payer")
  void payersWhoShareAnAddressThatIsOverTheRateAreServedAndCountedOnce() {
    try (GatewayHost host =
        new GatewayHost(
            Map.of(
                "gateway.limits.unpaid-per-minute", "2",
                "gateway.limits.requests-per-minute.prediction", "2"))) {
      String payment = host.payment(READ);
      String second = host.payment(READ);
      assertThat(paid(host, payment.substring(4)).statusCode()).isEqualTo(429);

      HttpResponse<String> served = paid(host, payment);
      assertThat(served.statusCode()).isEqualTo(200);
      assertThat(served.headers().firstValue("X-RateLimit-Remaining")).hasValue("1");
      assertThat(paid(host, second).statusCode()).isEqualTo(200);
      HttpResponse<String> repeated = paid(host, second);
      assertThat(repeated.statusCode()).isEqualTo(429);
      assertThat(repeated.headers().firstValue("X-RateLimit-Limit")).hasValue("2");
    }
  }

  private static HttpResponse<String> paid(GatewayHost host, String payment) {
    return host.http().send(host.http().request(READ).header("PAYMENT-SIGNATURE", payment).build());
  }

  private static HttpResponse<String> unpaid(GatewayHost host, String address) {
    return host.http().send(host.http().request(READ).header("X-Forwarded-For", address).build());
  }

  @Test
  @Tag("spec:error.status.429")
  @Tag("spec:error.capacity")
  @Tag("spec:limit.in_flight_group")
  void aGatewayWithoutAFreePlaceSaysFlatlyThatItIsAtCapacityAndRecovers() {
    try (GatewayHost host = new GatewayHost(Map.of("gateway.limits.in-flight-per-group", "2"))) {
      PaidAnswer refused = oneMoreThanFits(host, 2, Wallet.generate());
      assertThat(GatewayHost.text(refused))
          .isEqualTo("{\"error\":\"The service is at capacity; try again shortly.\"}");
      assertThat(refused.headers().firstValue("Retry-After")).contains("1");
    }
  }

  @Test
  @Tag("spec:limit.concurrency")
  @Tag("spec:limit.in_flight_payer")
  void aPayerWithoutAFreePlaceIsRefusedAndOthersAreNot() {
    try (GatewayHost host = new GatewayHost(Map.of("gateway.limits.in-flight-per-payer", "2"))) {
      Wallet wallet = Wallet.generate();
      PaidAnswer refused = oneMoreThanFits(host, 2, wallet);
      assertThat(GatewayHost.text(refused)).contains("rate_limited", "at the same time");
    }
  }

  /** Fills the places with calls that the vendor holds back, and returns the next call's answer. */
  private static PaidAnswer oneMoreThanFits(GatewayHost host, int places, Wallet wallet) {
    CountDownLatch latch = new CountDownLatch(1);
    host.vendor().waitsFor(latch);
    List<CompletableFuture<PaidAnswer>> calls = new ArrayList<>();
    for (int call = 0; call < places; call++) {
      String target = READ + "?call=" + call;
      calls.add(
          CompletableFuture.supplyAsync(
              () -> host.paid(host.http().request(target).build(), wallet)));
    }
    Awaitility.await().until(() -> host.vendor().asked().size() == places);
    PaidAnswer refused = host.paid(host.http().request(READ + "?more").build(), wallet);
    assertThat(refused.status()).isEqualTo(429);
    assertThat(refused.receipt()).isNull();
    latch.countDown();
    for (CompletableFuture<PaidAnswer> call : calls) {
      assertThat(call.join().status()).isEqualTo(200);
    }
    assertThat(host.paid(host.http().request(READ + "?again").build(), wallet).status())
        .as("the places were given back")
        .isEqualTo(200);
    return refused;
  }
}
