package dev.octroi.api;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.octroi.payments.Usd;
import dev.octroi.payments.client.PaidAnswer;
import dev.octroi.payments.client.PayingClient;
import dev.octroi.payments.client.PaymentSigner;
import dev.octroi.payments.client.SpendingLimit;
import dev.octroi.payments.client.Wallet;
import java.net.http.HttpRequest;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the operator sees of calls that fail. */
class OperatorFailuresTest {

  private static final String READ = "/v1/marketplace/cryptodata/market/etf";
  private static final String OTHER = "/v1/prediction/venue-a/events";

  private Admin admin;

  @BeforeEach
  void start() {
    admin = new Admin(Map.of("gateway.upstream.cryptodata.deadline", "1s"));
  }

  @AfterEach
  void stop() {
    admin.close();
  }

  private GatewayHost host() {
    return admin.host();
  }

  private PaidAnswer paid(String read, Wallet payer) {
    return host().paid(host().http().request(read).build(), payer);
  }

  private JsonNode only(Wallet payer) {
    JsonNode found = admin.get("payments?payer=" + payer.address()).path("data");
    assertThat(found).hasSize(1);
    return found.get(0);
  }

  @Test
  void anUnchargedPaymentTellsStatusReasonAndUpstreamUntilItIsSentAgain() throws Exception {
    host().vendor().says("/market/etf", 500, "{\"secret\":\"of the vendor\"}");
    Wallet payer = Wallet.generate();
    PayingClient client =
        new PayingClient(
            host().http().client(),
            new PaymentSigner(payer, Clock.systemUTC()),
            SpendingLimit.of(Usd.parse("1")));
    PaidAnswer failed = client.send(host().http().request(READ).build());
    assertThat(failed.status()).isEqualTo(502);

    JsonNode payment = only(payer);
    assertThat(payment.path("state").asText()).isEqualTo("released");
    assertThat(payment.path("status").asInt()).isEqualTo(502);
    assertThat(payment.path("reason").asText()).isEqualTo("The upstream failed");
    assertThat(payment.path("upstream").asText()).isEqualTo("cryptodata");
    assertThat(payment.toString()).doesNotContain("of the vendor");

    host().vendor().says("/market/etf", 200, "{\"data\":[]}");
    assertThat(client.sendAgain(host().http().request(READ).build(), failed.payment()).status())
        .isEqualTo(200);
    assertThat(only(payer).path("state").asText()).isEqualTo("settled");
    assertThat(only(payer).path("status").isNull()).isTrue();
    assertThat(only(payer).path("reason").isNull()).isTrue();
  }

  /** A vendor that changes its contract costs sales until the operator knows what it changed. */
  @Test
  void anAnswerThatBreaksItsContractIsToldApartForTheOperatorAlone() {
    host().vendor().says("/market/fear-greed", 200, "{\"data\":[{\"value\":\"of the vendor\"}]}");
    Wallet payer = Wallet.generate();
    PaidAnswer failed = paid("/v1/marketplace/cryptodata/market/fear-greed", payer);
    assertThat(failed.status()).isEqualTo(502);
    assertThat(new String(failed.body(), UTF_8))
        .contains("The upstream's answer could not be read")
        .doesNotContain("value");

    JsonNode payment = only(payer);
    assertThat(payment.path("reason").asText())
        .isEqualTo("The upstream's answer could not be read: value is no number");
    assertThat(payment.toString()).doesNotContain("of the vendor");
  }

  @Test
  void aModelThatFailsIsToldInTheWordsThatItsCallerGot() {
    try (ModelVendor vendor = new ModelVendor();
        Admin models =
            new Admin(
                Map.of(
                    "gateway.language.catalogue", ModelHost.catalogue(),
                    "gateway.language.upstreams.second", vendor.base("second").toString()))) {
      vendor.says("/second/chat/completions", 200, "{\"choices\":[]}");
      PaidAnswer failed =
          models
              .host()
              .paid(
                  models
                      .host()
                      .http()
                      .request(ModelHost.CHAT)
                      .header("Content-Type", "application/json")
                      .POST(
                          HttpRequest.BodyPublishers.ofString(
                              ModelWords.prompt("compatible-1.0", 100)))
                      .build(),
                  Wallet.generate());
      assertThat(failed.status()).isEqualTo(502);
      assertThat(models.get("payments").at("/data/0/reason").asText())
          .isEqualTo("The upstream's answer could not be read");
    }
  }

  @Test
  void whatTheCallerGotWrongNamesNoUpstreamThatWasNotAsked() {
    Wallet payer = Wallet.generate();
    int status = paid("/v1/marketplace/cryptodata/exchange/price?pair=!!", payer).status();
    assertThat(status).isBetween(400, 499);
    JsonNode payment = only(payer);
    assertThat(payment.path("status").asInt()).isEqualTo(status);
    assertThat(payment.path("reason").asText()).contains("pair");
    assertThat(payment.path("upstream").isNull()).isTrue();
  }

  @Test
  void callsAreCountedByHowTheyEndedWithTheirTimes() {
    CountDownLatch never = new CountDownLatch(1);
    host().vendor().says("/market/etf", 500, "{}");
    Wallet payer = Wallet.generate();
    paid(READ, payer);
    host().vendor().waitsFor(never);
    PaidAnswer late = paid("/v1/marketplace/cryptodata/market/fear-greed", payer);
    assertThat(late.status()).isEqualTo(502);
    never.countDown();
    assertThat(paid(OTHER, payer).status()).isEqualTo(200);
    host().http().get(OTHER);
    host().http().get("/v1/prediction/no-such-path-" + "x".repeat(50));

    JsonNode failures = admin.get("failures");

    JsonNode etf = row(failures, READ);
    assertThat(etf.path("calls").path("server_error").asInt()).isPositive();
    assertThat(
            row(failures, "/v1/marketplace/cryptodata/market/fear-greed")
                .path("calls")
                .path("timeout")
                .asInt())
        .isPositive();
    JsonNode events =
        StreamSupport.stream(failures.path("rows").spliterator(), false)
            .filter(one -> one.path("path").asText().endsWith("/events"))
            .findFirst()
            .orElseThrow();
    assertThat(events.path("calls").path("challenge").asInt()).isEqualTo(2);
    assertThat(events.path("calls").path("served").asInt()).isEqualTo(1);
    assertThat(failures.toString()).doesNotContain("no-such-path");
    assertThat(failures.path("funnel").path("challenges").asInt()).isEqualTo(4);
    assertThat(failures.path("funnel").path("payments").asInt()).isGreaterThanOrEqualTo(3);
    assertThat(failures.path("funnel").path("deliveries").asInt()).isEqualTo(1);
    assertThat(failures.path("steps").path(0).path("p99").asLong()).isBetween(500L, 5000L);
    assertThat(failures.path("reasons").findValuesAsText("reason"))
        .contains("The upstream failed", "The upstream did not answer in time");
    assertThat(failures.path("payers").path(0).path("payer").asText())
        .isEqualToIgnoringCase(payer.address().toString());
    assertThat(failures.path("payers").path(0).path("payments").asInt()).isEqualTo(2);
    assertThat(admin.get("failures?group=prediction").path("reasons")).isEmpty();

    paid(READ, payer);
    assertThat(
            row(admin.get("failures"), READ).path("calls").path("server_error").asInt()
                - etf.path("calls").path("server_error").asInt())
        .as("what comes later is added")
        .isPositive();
  }

  @Test
  void aRefusedPaymentIsNoChallenge() {
    String payment = host().payment(READ);
    host().vendor().says("/market/etf", 200, "{\"data\":[]}");
    for (int time = 0; time < 2; time++) {
      host().http().send(host().http().request(READ).header("PAYMENT-SIGNATURE", payment).build());
    }
    JsonNode calls = row(admin.get("failures"), READ).path("calls");
    assertThat(calls.path("challenge").asInt()).isEqualTo(1);
    assertThat(calls.path("served").asInt()).isEqualTo(1);
    assertThat(calls.path("refused").asInt()).isEqualTo(1);
  }

  @Test
  void aServersOwn412IsTheCallersErrorAndNoRefusedPayment() {
    try (RouteTarget target = new RouteTarget();
        Admin selling =
            Admin.routing(
                Map.of(
                    "gateway.routes.a.path", "/a",
                    "gateway.routes.a.target", target.base().toString(),
                    "gateway.routes.a.price", "0.01",
                    "gateway.routes.b.path", "/b",
                    "gateway.routes.b.target", target.base().toString(),
                    "gateway.routes.b.price", "0.01",
                    "gateway.routes.b.settle", "before"),
                H2Database.empty())) {
      target.says("/x", RouteTarget.answer(412, "", "not that version"));
      for (String path : List.of("/a/x", "/b/x")) {
        assertThat(selling.host().paid(path).status()).isEqualTo(412);
      }
      assertThat(selling.get("payments?state=released").at("/data/0/reason").asText())
          .isEqualTo("The upstream answered with an error");
      JsonNode failures = selling.get("failures");
      assertThat(failures.path("rows")).hasSize(2);
      assertThat(failures.path("rows"))
          .allSatisfy(
              row -> {
                assertThat(row.path("calls").path("client_error").asInt()).isEqualTo(1);
                assertThat(row.path("calls").path("refused").asInt()).isZero();
              });
    }
  }

  @Test
  void aPeriodHasAnEndAndALength() {
    assertThat(
            admin.status("GET", "failures?from=2026-01-01T00:00:00Z&to=2026-03-01T00:00:00Z", null))
        .isEqualTo(400);
    assertThat(
            admin.status("GET", "failures?from=2026-03-01T00:00:00Z&to=2026-01-01T00:00:00Z", null))
        .isEqualTo(400);
    assertThat(
            admin.send("GET", "/admin/v1/failures", "no-token-of-this-gateway", null).statusCode())
        .isEqualTo(401);
  }

  @Test
  void anUpstreamThatAnsweredWithAnErrorHasFailedCalls() {
    host().vendor().says("/market/etf", 500, "{}");
    paid(READ, Wallet.generate());
    JsonNode upstream =
        StreamSupport.stream(admin.get("upstreams").path("data").spliterator(), false)
            .filter(one -> one.path("name").asText().equals("cryptodata"))
            .findFirst()
            .orElseThrow();
    assertThat(upstream.path("state").asText()).isEqualTo("up");
    assertThat(upstream.path("failed").asInt()).isPositive();
  }

  private static JsonNode row(JsonNode failures, String path) {
    return StreamSupport.stream(failures.path("rows").spliterator(), false)
        .filter(one -> one.path("path").asText().equals(path))
        .findFirst()
        .orElseThrow(() -> new AssertionError(path + " in " + failures));
  }
}
