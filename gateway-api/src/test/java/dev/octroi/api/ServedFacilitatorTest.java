package dev.octroi.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.octroi.payments.client.PaidAnswer;
import dev.octroi.payments.client.PaymentSigner;
import dev.octroi.payments.client.Wallet;
import dev.octroi.payments.evm.ExactEvmVerifier;
import dev.octroi.payments.evm.Signatures;
import dev.octroi.payments.facilitator.FacilitatorAuth;
import dev.octroi.payments.facilitator.HttpFacilitator;
import dev.octroi.payments.facilitator.HttpFacilitator.HttpFacilitatorSettings;
import dev.octroi.payments.facilitator.Settlement;
import dev.octroi.payments.x402.PaymentPayload;
import dev.octroi.payments.x402.PaymentRequired;
import dev.octroi.payments.x402.PaymentRequirements;
import dev.octroi.payments.x402.ResourceInfo;
import java.net.URI;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class ServedFacilitatorTest {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String SELLER = "0x209693Bc6afc0C5328bA36FaF03C514EF312287C";
  private static final String USDC = "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913";
  private static final String OTHER = "0x036CbD53842c5426634e7929541eC2318f3dCF7e";
  private static final String PRICE = "250000000";
  private static final String USED = "invalid_exact_evm_nonce_already_used";
  private static final PaymentRequirements TERMS =
      new PaymentRequirements(
          "exact",
          "eip155:8453",
          PRICE,
          USDC,
          SELLER,
          60,
          Map.of("name", "USD Coin", "version", "2"));

  private static final String CEILING = "1000000";
  private static final PaymentRequirements UPTO =
      new PaymentRequirements(
          "upto",
          "eip155:8453",
          CEILING,
          USDC,
          SELLER,
          60,
          Map.of(
              "name",
              "USD Coin",
              "version",
              "2",
              "assetTransferMethod",
              "permit2",
              "facilitatorAddress",
              "0x0000000000000000000000000000000000008402"));
  private static final String TOKEN = "0123456789abcdef";

  private static GatewayHost host;

  private final Wallet wallet = Wallet.generate();

  @BeforeAll
  static void start() {
    host = new GatewayHost(Map.of("gateway.facilitator.serve", "true"));
  }

  @AfterAll
  static void stop() {
    host.close();
  }

  private String header() {
    return new PaymentSigner(wallet, Clock.systemUTC())
        .sign(
            new PaymentRequired(
                2, null, ResourceInfo.at("https://other.example/x"), List.of(TERMS), null),
            TERMS);
  }

  private PaymentPayload payment() {
    return PaymentPayload.read(header());
  }

  private ObjectNode request() throws Exception {
    String header = header();
    ObjectNode request = JSON.createObjectNode();
    request.put("x402Version", 2);
    request.set("paymentPayload", JSON.readTree(Base64.getDecoder().decode(header)));
    request.set("paymentRequirements", JSON.valueToTree(TERMS));
    return request;
  }

  private static HttpResponse<String> post(GatewayHost to, String verb, String body) {
    return to.http()
        .send(
            to.http()
                .request("/facilitator/" + verb)
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(body))
                .build());
  }

  private static JsonNode asked(String verb, JsonNode request) throws Exception {
    HttpResponse<String> answer = post(host, verb, request.toString());
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    return JSON.readTree(answer.body());
  }

  private static JsonNode json(String text) throws Exception {
    return JSON.readTree(text.replace('\'', '"'));
  }

  @Test
  @Tag("spec:x402.facilitator.supported")
  void itSaysWhatItSupportsInBothVersions() throws Exception {
    HttpResponse<String> answer = host.http().get("/facilitator/supported");

    assertThat(JSON.readTree(answer.body()))
        .isEqualTo(
            json(
                "{'kinds':[{'x402Version':2,'scheme':'exact','network':'eip155:8453'},"
                    + "{'x402Version':1,'scheme':'exact','network':'base'}],"
                    + "'extensions':[],'signers':{}}"));
  }

  @Test
  void aGoodPaymentIsValidAndSettlesOnceWithOneTransaction() throws Exception {
    ObjectNode request = request();

    assertThat(asked("verify", request))
        .isEqualTo(json("{'isValid':true,'payer':'" + wallet.address() + "'}"));
    JsonNode settled = asked("settle", request);
    assertThat(settled.path("success").booleanValue()).isTrue();
    assertThat(settled.path("network").textValue()).isEqualTo("eip155:8453");
    assertThat(settled.path("payer").textValue()).isEqualTo(wallet.address().toString());
    assertThat(settled.path("transaction").textValue()).isNotEmpty();

    JsonNode again = asked("settle", request);
    assertThat(again.path("success").booleanValue()).as("another server delivers on it").isFalse();
    assertThat(again.path("errorReason").textValue()).isEqualTo(USED);
    assertThat(again.path("transaction").textValue()).isEmpty();
    assertThat(asked("verify", request))
        .isEqualTo(
            json(
                "{'isValid':false,'invalidReason':'%s','payer':'%s'}"
                    .formatted(USED, wallet.address())));
  }

  @Test
  @Tag("spec:money.1")
  void whoSettledWithAKeyHearsTheSameAgainAndOnlyWithIt() throws Exception {
    String request = request().toString();
    String key = "\"c0ffee00-0001-4000\"";
    JsonNode settled = keyed(request, key, null);
    assertThat(settled.path("success").booleanValue()).isTrue();

    assertThat(keyed(request, key, null)).isEqualTo(settled);
    assertThat(keyed(request, key, null)).isEqualTo(settled);
    assertThat(keyed(request, "another-key-of-17", null).path("errorReason").textValue())
        .isEqualTo(USED);
    assertThat(keyed(request, key, "Bearer another").path("errorReason").textValue())
        .isEqualTo(USED);
    assertThat(asked("settle", JSON.readTree(request)).path("errorReason").textValue())
        .isEqualTo(USED);
    assertThat(keyed(request, key, null)).isEqualTo(settled);
  }

  @Test
  void aKeyThatComesLaterThanTheSettlementIsNotTheFirstOnes() throws Exception {
    ObjectNode request = request();
    assertThat(asked("settle", request).path("success").booleanValue()).isTrue();

    assertThat(keyed(request.toString(), "a-key-of-18-signs", null).path("errorReason").textValue())
        .isEqualTo(USED);
  }

  @Test
  void aKeyThatIsNoneIsRefusedBeforeAnythingIsSettled() throws Exception {
    String request = request().toString();
    for (String key :
        List.of("short", "x".repeat(129), "a key with spaces in it", "a,list,of,keys,x")) {
      assertThat(posted(request, key, null).statusCode()).as(key).isEqualTo(400);
    }

    assertThat(asked("settle", JSON.readTree(request)).path("success").booleanValue()).isTrue();
  }

  private static JsonNode keyed(String request, String key, @Nullable String credential)
      throws Exception {
    HttpResponse<String> answer = posted(request, key, credential);
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    return JSON.readTree(answer.body());
  }

  private static HttpResponse<String> posted(
      String request, String key, @Nullable String credential) {
    var posted =
        host.http()
            .request("/facilitator/settle")
            .header("Content-Type", "application/json")
            .header("Idempotency-Key", key);
    if (credential != null) {
      posted.header("Authorization", credential);
    }
    return host.http().send(posted.POST(BodyPublishers.ofString(request)).build());
  }

  @Test
  @Tag("spec:x402.facilitator.indeterminate")
  void ourOwnClientHearsTheSuccessAgainForTheSameAttemptAndForNoOther() throws Exception {
    ExactEvmVerifier checks = new ExactEvmVerifier(Clock.systemUTC(), Signatures.fastest());
    PaymentPayload payment = payment();
    try (HttpFacilitator client =
        new HttpFacilitator(
            HttpFacilitatorSettings.of(List.of(URI.create(host.http().base() + "/facilitator"))),
            FacilitatorAuth.NONE,
            List.of(TERMS.network()),
            Map.of("eip155", checks::verify),
            Clock.systemUTC())) {
      Settlement first = client.settle(payment, TERMS, "5e".repeat(32));

      assertThat(first).isInstanceOf(Settlement.Settled.class);
      assertThat(client.settle(payment, TERMS, "5e".repeat(32))).isEqualTo(first);
      assertThat(client.settle(payment, TERMS, "5f".repeat(32)))
          .isEqualTo(new Settlement.Unknown(USED, null));
      assertThat(client.settle(payment, TERMS)).isEqualTo(new Settlement.Unknown(USED, null));
    }
  }

  @Test
  void theMoneyMovesAndIsGoneThen() throws Exception {
    for (int i = 0; i < 4; i++) {
      assertThat(asked("settle", request()).path("success").booleanValue()).isTrue();
    }
    ObjectNode fifth = request();

    assertThat(asked("verify", fifth).path("invalidReason").textValue())
        .isEqualTo("insufficient_funds");
    assertThat(asked("settle", fifth))
        .isEqualTo(
            json(
                "{'success':false,'transaction':'','network':'eip155:8453','payer':'%s',"
                        .formatted(wallet.address())
                    + "'errorReason':'insufficient_funds'}"));
  }

  @Test
  @Tag("spec:money.1")
  @Tag("spec:x402.facilitator.settle")
  void ofFiftySettlementsOfOnePaymentOneMovesTheMoney() throws Exception {
    String request = request().toString();
    ExecutorService askers = Executors.newFixedThreadPool(50);
    List<Future<HttpResponse<String>>> answers = new ArrayList<>();
    List<String> transactions = new ArrayList<>();
    try {
      for (int i = 0; i < 50; i++) {
        answers.add(askers.submit(() -> post(host, "settle", request)));
      }
      for (Future<HttpResponse<String>> answer : answers) {
        JsonNode outcome = JSON.readTree(answer.get().body());
        if (outcome.path("success").booleanValue()) {
          transactions.add(outcome.path("transaction").textValue());
        } else {
          assertThat(outcome.path("errorReason").textValue()).isIn("settlement_pending", USED);
        }
      }
    } finally {
      askers.shutdownNow();
    }
    assertThat(transactions).as("each success is delivered on").hasSize(1);
    // A thousand dollars less one payment of 250 are three more.
    for (int i = 0; i < 3; i++) {
      assertThat(asked("settle", request()).path("success").booleanValue()).isTrue();
    }
    assertThat(asked("settle", request()).path("success").booleanValue()).isFalse();
  }

  @Test
  void aPaymentThatWasSettledForOneRecipientIsNotForAnother() throws Exception {
    ObjectNode request = request();
    asked("settle", request);
    ((ObjectNode) request.path("paymentRequirements"))
        .put("payTo", "0x036CbD53842c5426634e7929541eC2318f3dCF7e");

    assertThat(asked("settle", request).path("errorReason").textValue())
        .isEqualTo("invalid_exact_evm_recipient_mismatch");
  }

  @Test
  void aCallOfThisGatewayCannotBePaidByWhatSettledForAnotherServerNorTheOtherWayRound()
      throws Exception {
    GatewayHost own = host;
    String path = "/v1/marketplace/cryptodata/market/etf";
    String payment = own.payment(path);
    HttpResponse<String> paid =
        own.http().send(own.http().request(path).header("PAYMENT-SIGNATURE", payment).build());
    assertThat(paid.statusCode()).isEqualTo(200);
    ObjectNode request = JSON.createObjectNode();
    JsonNode envelope = JSON.readTree(Base64.getDecoder().decode(payment));
    request.put("x402Version", 2);
    request.set("paymentPayload", envelope);
    request.set("paymentRequirements", envelope.path("accepted"));

    assertThat(asked("settle", request).path("errorReason").textValue()).isEqualTo(USED);
    assertThat(asked("verify", request).path("invalidReason").textValue()).isEqualTo(USED);
  }

  @Test
  @Tag("spec:x402.facilitator.verify")
  void whatIsWrongWithAPaymentIsToldWith200() throws Exception {
    ObjectNode cheap = request();
    ((ObjectNode) cheap.path("paymentRequirements")).put("amount", "1");
    ObjectNode elsewhere = request();
    ((ObjectNode) elsewhere.path("paymentRequirements")).put("network", "eip155:1");
    ObjectNode otherToken = request();
    ((ObjectNode) otherToken.path("paymentRequirements")).put("asset", SELLER);
    ObjectNode unreadable = request();
    ((ObjectNode) unreadable.at("/paymentPayload/payload/authorization")).put("nonce", "0x12");

    assertThat(reason(cheap)).isEqualTo("invalid_exact_evm_payload_authorization_value_mismatch");
    assertThat(reason(elsewhere)).isEqualTo("invalid_network");
    assertThat(reason(otherToken)).isEqualTo("invalid_payment_requirements");
    assertThat(reason(unreadable)).isEqualTo("invalid_payload");
  }

  private static String reason(JsonNode request) throws Exception {
    String verified = asked("verify", request).path("invalidReason").textValue();
    assertThat(asked("settle", request).path("errorReason").textValue()).isEqualTo(verified);
    return verified;
  }

  @Test
  void aRequestOfVersion1IsAnsweredInItsWords() throws Exception {
    ObjectNode request = request();
    ObjectNode envelope = (ObjectNode) request.path("paymentPayload");
    envelope.remove(List.of("accepted", "resource"));
    envelope.put("x402Version", 1).put("scheme", "exact").put("network", "base");
    ObjectNode terms = (ObjectNode) request.path("paymentRequirements");
    terms.remove("amount");
    terms.put("network", "base").put("maxAmountRequired", PRICE);
    terms.put("resource", "https://other.example/x").put("description", "").put("mimeType", "");
    request.put("x402Version", 1);

    assertThat(asked("verify", request).path("isValid").booleanValue()).isTrue();
    JsonNode settled = asked("settle", request);
    assertThat(settled.path("success").booleanValue()).isTrue();
    assertThat(settled.path("network").textValue()).isEqualTo("base");
  }

  @Test
  void whatIsNoRequestIsRefused() {
    assertThat(post(host, "verify", "{").statusCode()).isEqualTo(400);
    assertThat(post(host, "verify", "{\"x402Version\":2}").statusCode()).isEqualTo(400);
    assertThat(post(host, "settle", "[]").statusCode()).isEqualTo(400);
    assertThat(post(host, "settle", "{\"a\":\"" + "x".repeat(140_000) + "\"}").statusCode())
        .isEqualTo(413);
    assertThat(post(host, "settle", "[".repeat(5000)).statusCode()).isEqualTo(400);
    assertThat(host.http().get("/facilitator/settle").statusCode()).isEqualTo(405);
  }

  @Test
  void itIsNotThereUnlessItIsServed() {
    try (GatewayHost closed = new GatewayHost(Map.of())) {
      assertThat(post(closed, "verify", "{}").statusCode()).isEqualTo(404);
      assertThat(post(closed, "settle", "{}").statusCode()).isEqualTo(404);
      assertThat(closed.http().get("/facilitator/supported").statusCode()).isEqualTo(404);
    }
  }

  @Test
  void withATokenOnlyWhoeverHasItIsServedAndNotWithoutEnd() {
    Map<String, String> settings =
        Map.of(
            "gateway.facilitator.serve", "true",
            "gateway.facilitator.serve-token", TOKEN,
            "gateway.facilitator.serve-per-minute", "4");
    try (GatewayHost guarded = new GatewayHost(settings)) {
      assertThat(supported(guarded, null)).isEqualTo(401);
      assertThat(supported(guarded, "Bearer 0123456789abcdeX")).isEqualTo(401);
      assertThat(supported(guarded, "0123456789abcdef")).isEqualTo(401);
      assertThat(supported(guarded, null)).isEqualTo(401);
      assertThat(supported(guarded, null)).isEqualTo(429);
      for (int i = 0; i < 4; i++) {
        assertThat(supported(guarded, "Bearer " + TOKEN)).isEqualTo(200);
      }
      assertThat(supported(guarded, "Bearer " + TOKEN)).isEqualTo(429);
    }
  }

  @Test
  @Tag("spec:x402.extension.upto")
  void aCeilingIsChargedWhatTheAskerSaysWhereAskersHaveAToken() throws Exception {
    assertThat(askedForCeiling(host, "verify", ceiling(wallet), CEILING).path("invalidReason"))
        .hasToString("\"unsupported_scheme\"");
    Map<String, String> settings =
        Map.of(
            "gateway.facilitator.serve", "true",
            "gateway.facilitator.serve-token", TOKEN,
            "gateway.payments.channels.offered", "true");
    try (GatewayHost guarded = new GatewayHost(settings)) {
      JsonNode payment = ceiling(wallet);
      assertThat(askedForCeiling(guarded, "verify", payment, CEILING).path("isValid").asBoolean())
          .isTrue();
      assertThat(askedForCeiling(guarded, "verify", payment, "999").path("isValid").asBoolean())
          .isFalse();

      assertThat(askedForCeiling(guarded, "settle", payment, "1000001").path("errorReason"))
          .hasToString("\"invalid_upto_evm_payload_settlement_exceeds_amount\"");
      assertThat(askedForCeiling(guarded, "settle", payment, "-1").path("success").asBoolean())
          .isFalse();
      JsonNode nothing = askedForCeiling(guarded, "settle", payment, "0");
      assertThat(nothing.path("success").asBoolean()).as(nothing.toString()).isTrue();
      assertThat(nothing.path("transaction").asText("-")).isEmpty();

      JsonNode settled = askedForCeiling(guarded, "settle", payment, "250000");
      assertThat(settled.path("success").asBoolean()).as(settled.toString()).isTrue();
      assertThat(settled.path("amount").asText()).isEqualTo("250000");
      assertThat(settled.path("transaction").asText()).startsWith("sandbox:");
      assertThat(askedForCeiling(guarded, "settle", payment, "250000").path("success").asBoolean())
          .isFalse();
      assertThat(askedForCeiling(guarded, "settle", payment, "750000").path("success").asBoolean())
          .isFalse();
      assertThat(guarded.count("SELECT sum(amount) FROM payment WHERE state = 'SETTLED'"))
          .isEqualTo(250_000);
      assertThat(supportedSchemes(guarded))
          .as("channels of worthless money are the gateway's own")
          .containsExactly("exact", "exact", "upto");
    }
  }

  /** No chain is asked for any of this. */
  @Test
  @Tag("spec:x402.facilitator.supported")
  void channelsAreServedWhereAChainHoldsThemAndToAskersWithATokenAlone() throws Exception {
    try (GatewayHost open = new GatewayHost(channels(Map.of()))) {
      assertThat(supportedSchemes(open)).containsExactly("exact", "exact");
      assertThat(askedForChannel(open, "verify", USDC, OTHER, "voucher").path("invalidReason"))
          .hasToString("\"unsupported_scheme\"");
      for (String order : List.of("deposit", "claim", "settle", "refund")) {
        assertThat(askedForChannel(open, "settle", USDC, OTHER, order).path("errorReason"))
            .hasToString("\"unsupported_scheme\"");
      }
    }
    Map<String, String> token = Map.of("gateway.facilitator.serve-token", TOKEN);
    try (GatewayHost guarded = new GatewayHost(channels(token))) {
      assertThat(supportedSchemes(guarded)).contains("batch-settlement");
      assertThat(askedForChannel(guarded, "verify", USDC, SELLER, "voucher").path("invalidReason"))
          .as("the gateway's own")
          .hasToString("\"invalid_batch_settlement_evm_receiver_mismatch\"");
      assertThat(askedForChannel(guarded, "verify", USDC, OTHER, "voucher").path("invalidReason"))
          .hasToString("\"invalid_payload\"");
      assertThat(askedForChannel(guarded, "settle", USDC, OTHER, "claim").path("errorReason"))
          .hasToString("\"invalid_payload\"");
      assertThat(askedForChannel(guarded, "settle", USDC, OTHER, "other").path("errorReason"))
          .hasToString("\"invalid_batch_settlement_evm_payload_type\"");
      assertThat(askedForChannel(guarded, "settle", SELLER, OTHER, "claim").path("errorReason"))
          .hasToString("\"invalid_payment_requirements\"");
    }
  }

  private static Map<String, String> channels(Map<String, String> more) {
    Map<String, String> all = new HashMap<>(more);
    all.put("gateway.facilitator.serve", "true");
    all.put("gateway.payments.mode", "chain");
    all.put("gateway.payments.pay-to", SELLER);
    all.put("gateway.payments.channels.offered", "true");
    all.put("gateway.chain.rpc-url", "http://127.0.0.1:9");
    all.put("gateway.chain.relayer-keys", "46".repeat(32));
    return all;
  }

  /** Asks with a payload that says no more than its kind. */
  private static JsonNode askedForChannel(
      GatewayHost from, String verb, String asset, String payTo, String kind) throws Exception {
    PaymentRequirements terms =
        new PaymentRequirements(
            "batch-settlement",
            "eip155:8453",
            kind.equals("claim") || kind.equals("settle") ? "0" : CEILING,
            asset,
            payTo,
            60,
            Map.of());
    ObjectNode request = JSON.createObjectNode();
    ObjectNode envelope = request.put("x402Version", 2).putObject("paymentPayload");
    envelope.put("x402Version", 2).set("accepted", JSON.valueToTree(terms));
    envelope.putObject("payload").put("type", kind);
    request.set("paymentRequirements", JSON.valueToTree(terms));
    return JSON.readTree(asTokenHolder(from, verb, request));
  }

  private static String asTokenHolder(GatewayHost from, String verb, JsonNode request) {
    HttpResponse<String> answer =
        from.http()
            .send(
                from.http()
                    .request("/facilitator/" + verb)
                    .header("Authorization", "Bearer " + TOKEN)
                    .header("Content-Type", "application/json")
                    .POST(BodyPublishers.ofString(request.toString()))
                    .build());
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    return answer.body();
  }

  private static JsonNode ceiling(Wallet payer) throws Exception {
    String header =
        new PaymentSigner(payer, Clock.systemUTC())
            .sign(
                new PaymentRequired(
                    2, null, ResourceInfo.at("https://other.example/x"), List.of(UPTO), null),
                UPTO);
    return JSON.readTree(Base64.getDecoder().decode(header));
  }

  private static JsonNode askedForCeiling(
      GatewayHost from, String verb, JsonNode payment, String charge) throws Exception {
    ObjectNode request = JSON.createObjectNode();
    request.put("x402Version", 2);
    request.set("paymentPayload", payment);
    request.set("paymentRequirements", JSON.valueToTree(UPTO.atUnits(charge)));
    return JSON.readTree(asTokenHolder(from, verb, request));
  }

  private static List<String> supportedSchemes(GatewayHost from) throws Exception {
    String body =
        from.http()
            .send(
                from.http()
                    .request("/facilitator/supported")
                    .header("Authorization", "Bearer " + TOKEN)
                    .build())
            .body();
    return JSON.readTree(body).findValuesAsText("scheme");
  }

  private static int supported(GatewayHost from, @Nullable String auth) {
    var request = from.http().request("/facilitator/supported");
    if (auth != null) {
      request.header("Authorization", auth);
    }
    return from.http().send(request.build()).statusCode();
  }

  @Test
  void anotherGatewayIsPaidThroughItByItsSettings() {
    Map<String, String> settings =
        Map.of(
            "gateway.payments.mode",
            "remote",
            "gateway.payments.pay-to",
            SELLER,
            "gateway.facilitator.urls",
            host.http().base() + "/facilitator");
    try (GatewayHost other = new GatewayHost(settings)) {
      other.vendor().says("/market/etf", 200, "{\"data\":[]}");
      String path = "/v1/marketplace/cryptodata/market/etf";

      PaidAnswer answer = other.paid(path);
      assertThat(answer.status()).isEqualTo(200);
      assertThat(answer.receipt()).isNotNull();
      assertThat(answer.receipt().transaction()).startsWith("sandbox:");

      String payment = other.payment(path);
      assertThat(sent(other, path, payment)).isEqualTo(200);
      await().until(() -> sent(other, path, payment) == 402);
    }
  }

  private static int sent(GatewayHost to, String path, String payment) {
    return to.http()
        .send(to.http().request(path).header("PAYMENT-SIGNATURE", payment).build())
        .statusCode();
  }
}
