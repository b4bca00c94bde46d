package dev.octroi.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every endpoint: its price, its answer, and what the answer means. */
abstract class ReadsBehaviour extends Behaviour {

  private static final String ALL = "dev.octroi.testkit.Endpoints#all";

  @Test
  void everythingDeclaredBelongsToAnEndpoint() {
    assertThat(Endpoints.orphans()).isEmpty();
    assertThat(Endpoints.all().filter(e -> e.base().equals(CRYPTO_DATA))).hasSize(81);
    assertThat(Endpoints.all().filter(e -> e.base().equals(PREDICTION))).hasSize(108);
  }

  @ParameterizedTest(name = EACH)
  @MethodSource(ALL)
  @Tag("spec:payment.rule.1")
  @Tag("spec:limit.price_per_call")
  @Tag("spec:error.crypto.payment_required")
  @Tag("spec:x402.challenge")
  void isOfferedForItsPrice(Endpoint endpoint) {
    Reply challenge = deployment().challenge(example(endpoint));
    JsonNode offer = challenge.decoded("PAYMENT-REQUIRED");
    ObjectNode body = (ObjectNode) challenge.json();
    JsonNode price = body.remove("price");
    assertThat(body.remove("code").asText()).isEqualTo("payment_required");
    // Schemas stand in the body alone: the header has no room for them.
    assertThat(((ObjectNode) body.path("extensions")).remove("bazaar")).isNotNull();
    assertThat(body).isEqualTo(offer);
    assertThat(price.path("amount").asText()).isEqualTo(dollars(endpoint));
    assertThat(price.path("currency").asText()).isEqualTo("USD");
    JsonNode terms = offer.path("accepts").path(0);
    assertThat(terms.path("amount").asText()).isEqualTo(atomic(endpoint));
    assertThat(terms.path("network").asText()).startsWith("eip155:");
    assertThat(terms.path("maxTimeoutSeconds").asInt()).isEqualTo(300);
    assertThat(offer.path("resource").path("url").asText()).contains(endpoint.base());
    assertThat(challenge.header("Cache-Control")).contains("no-store");
  }

  @ParameterizedTest(name = EACH)
  @MethodSource(ALL)
  @Tag("spec:rule.general.1")
  @Tag("spec:record.price")
  @Tag("spec:price.splice")
  void isSoldForItsPrice(Endpoint endpoint) {
    Call call = example(endpoint);
    Reply reply = deployment().buy(call);
    assertThat(reply.header("X-Price-Amount")).isEqualTo(dollars(endpoint));
    assertThat(reply.header("X-Price-Currency")).isEqualTo("USD");
    assertThat(reply.header("Cache-Control")).contains("private").doesNotContain("public");
    assertThat(reply.header("Content-Type")).startsWith("application/json");
    JsonNode settled = reply.decoded("PAYMENT-RESPONSE");
    assertThat(settled.path("success").asBoolean()).isTrue();
    assertThat(settled.path("transaction").asText())
        .isEqualTo(reply.header("X-PAYMENT-RECEIPT"))
        .isNotBlank();
    if (!endpoint.sample().hasOwnPrice()) {
      assertThat(reply.text()).endsWith(charge(endpoint));
    }
  }

  @ParameterizedTest(name = EACH)
  @MethodSource(ALL)
  @Tag("spec:record.exchange_ticker")
  @Tag("spec:record.fear_and_greed")
  @Tag("spec:record.sql_result")
  @Tag("spec:record.wallet_detail")
  @Tag("spec:record.market_venue_a")
  @Tag("spec:record.market_venue_b")
  @Tag("spec:record.wallet_summary")
  @Tag("spec:record.search_hit")
  @Tag("spec:record.arbitrage")
  @Tag("spec:record.leaderboard")
  void answersItsRecord(Endpoint endpoint) {
    Reply reply = deployment().buy(example(endpoint));
    assertThat(Schemas.problems(endpoint.sample().schema(), record(endpoint, reply)))
        .as(reply.toString())
        .isEmpty();
  }

  @ParameterizedTest(name = EACH)
  @MethodSource(ALL)
  @Tag("spec:error.crypto.not_found")
  @Tag("spec:error.prediction.market_not_found")
  @Tag("spec:rule.crypto.4")
  @Tag("spec:limit.page_size")
  void meansWhatItSays(Endpoint endpoint) {
    endpoint.sample().check().holds(Sold.of(deployment(), endpoint));
  }

  @Test
  void noTwoEndpointsAnswerAlike() {
    Map<JsonNode, Endpoint> answers = new HashMap<>();
    Endpoints.all()
        .forEach(
            endpoint -> {
              JsonNode record = record(endpoint, deployment().buy(example(endpoint)));
              assertThat(answers.put(record, endpoint)).as(endpoint + " answers like").isNull();
            });
  }

  @ParameterizedTest(name = EACH)
  @MethodSource(ALL)
  @Tag("spec:versioning.1")
  @Tag("spec:decision.prefix_api")
  void costsTheSameUnderEachOfItsPrefixes(Endpoint endpoint) {
    Call call = example(endpoint);
    assertSamePrice(endpoint, call.target("/api" + call.target()));
    if (endpoint.base().equals(PREDICTION)) {
      Call shorter = call.target(call.target().replace("/v1/marketplace/", "/v1/"));
      assertSamePrice(endpoint, shorter);
      assertSamePrice(endpoint, call.target("/api" + shorter.target()));
    }
  }

  @Test
  @Tag("spec:versioning.1")
  void isSoldUnderEachOfItsPrefixes() {
    Call markets = Call.get("/v1/prediction/venue-a/markets?limit=1");
    Reply shorter = deployment().buy(markets);
    Reply longer =
        deployment().buy(markets.target("/api/v1/marketplace/prediction/venue-a/markets?limit=1"));
    assertThat(shorter.json().fieldNames()).toIterable().contains("markets", "total", "price");
    assertThat(longer.json().fieldNames()).toIterable().contains("markets", "total", "price");
  }

  @ParameterizedTest(name = EACH)
  @MethodSource("dev.octroi.testkit.Endpoints#reads")
  @Tag("spec:decision.head")
  void isNeverSoldToHead(Endpoint endpoint) {
    Call call = example(endpoint);
    String payment = deployment().payment(call);
    Reply unpaid = deployment().send(call.method("HEAD"));
    assertThat(unpaid.status()).as(unpaid.toString()).isEqualTo(405);
    Reply head = deployment().send(call.method("HEAD"), payment);
    assertThat(head.status()).as(head.toString()).isEqualTo(405);
    assertUncharged(head);
    assertStillGood(payment, call);
  }

  private void assertSamePrice(Endpoint endpoint, Call call) {
    JsonNode price = deployment().challenge(call).json().path("price");
    assertThat(price.path("amount").asText()).as(call.target()).isEqualTo(dollars(endpoint));
  }

  /** The upstream's part of an answer. */
  private static JsonNode record(Endpoint endpoint, Reply reply) {
    if (endpoint.sample().hasOwnPrice()) {
      return reply.json();
    }
    String body = reply.text();
    String charge = charge(endpoint);
    assertThat(body).endsWith(charge);
    String before = body.substring(0, body.length() - charge.length());
    String comma = before.endsWith(",") ? before.substring(0, before.length() - 1) : before;
    return Json.read((comma + "}").getBytes(StandardCharsets.UTF_8));
  }

  private static String charge(Endpoint endpoint) {
    return "\"price\":{\"amount\":\"" + dollars(endpoint) + "\",\"currency\":\"USD\"}}";
  }

  private static String dollars(Endpoint endpoint) {
    return endpoint.sample().price().setScale(6).toPlainString();
  }

  /** Six decimals, as the stablecoin has. */
  private static String atomic(Endpoint endpoint) {
    return endpoint.sample().price().movePointRight(6).toBigIntegerExact().toString();
  }
}
