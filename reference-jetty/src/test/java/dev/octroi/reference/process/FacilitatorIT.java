package dev.octroi.reference.process;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.octroi.payments.client.PaymentSigner;
import dev.octroi.payments.client.Wallet;
import dev.octroi.payments.evm.EvmToken;
import dev.octroi.payments.x402.PaymentRequired;
import dev.octroi.payments.x402.PaymentRequirements;
import dev.octroi.payments.x402.ResourceInfo;
import dev.octroi.sandbox.Sandbox;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** The built jar as a facilitator, and the built jar that is paid through one, by settings. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("spec:x402.facilitator.settle")
class FacilitatorIT {

  private static final String PAY_TO = "0x209693Bc6afc0C5328bA36FaF03C514EF312287C";
  private static final String USED = "invalid_exact_evm_nonce_already_used";
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String TOKEN = "a-token-of-this-test";

  private Running facilitator;
  private String address;

  @BeforeAll
  void serveAFacilitator(@TempDir Path data) throws Exception {
    facilitator =
        BuiltJar.quickIn(data, "--port", "0", "--data", data.toString())
            .set("gateway.facilitator.serve", "true")
            .set("gateway.facilitator.serve-token", TOKEN)
            .start();
    URI base = facilitator.awaitReady();
    address = base + (base.toString().endsWith("/") ? "facilitator" : "/facilitator");
  }

  @AfterAll
  void stop() {
    if (facilitator != null) {
      facilitator.close();
    }
  }

  @Test
  @Tag("spec:x402.client.typescript")
  void thePublishedServerSettlesThroughIt() throws Exception {
    NodeClients.install();

    JsonNode seen =
        NodeClients.run(Map.of("FACILITATOR_TOKEN", TOKEN), List.of("settle.mjs", address, PAY_TO));

    assertThat(seen.path("status").intValue()).as(seen.toString()).isEqualTo(200);
    assertThat(seen.path("body").textValue()).contains("42");
    JsonNode receipt = seen.path("receipt");
    assertThat(receipt.path("success").booleanValue()).isTrue();
    assertThat(receipt.path("payer").textValue())
        .isEqualToIgnoringCase(seen.path("payer").textValue());
    assertThat(seen.at("/again/success").booleanValue()).as(seen.toString()).isFalse();
    assertThat(seen.at("/again/errorReason").textValue()).isEqualTo(USED);
    assertThat(seen.at("/supported/kinds/0/network").textValue()).isEqualTo("eip155:8453");
    assertThat(seen.at("/metered/status").intValue()).as(seen.toString()).isEqualTo(200);
    assertThat(seen.at("/metered/receipt/success").booleanValue()).as(seen.toString()).isTrue();
    assertThat(seen.at("/metered/receipt/amount").textValue()).isEqualTo("25000");
  }

  @Test
  @Tag("spec:money.1")
  void thePublishedServerDeliversOnceToSixRequestsOfOnePayment() throws Exception {
    NodeClients.install();

    JsonNode seen =
        NodeClients.run(
            Map.of("FACILITATOR_TOKEN", TOKEN),
            List.of("settle-at-once.mjs", address, PAY_TO, "6"));

    assertThat(seen.path("handled").intValue()).as(seen.toString()).isGreaterThanOrEqualTo(6);
    List<JsonNode> delivered = new ArrayList<>();
    for (JsonNode answer : seen.path("answers")) {
      if (answer.path("status").intValue() == 200) {
        delivered.add(answer);
      } else {
        assertThat(answer.path("body").textValue()).doesNotContain("\"answer\"");
      }
    }
    assertThat(delivered).as(seen.toString()).hasSize(1);
    assertThat(seen.path("after").intValue()).isEqualTo(402);
  }

  @Test
  @Tag("spec:money.1")
  void afterAKillItTellsASettlementAgainToTheOneWhoHasItsKey(@TempDir Path data) throws Exception {
    BuiltJar jar =
        BuiltJar.quickIn(data, "--port", "0", "--data", data.toString())
            .set("gateway.facilitator.serve", "true");
    String request = request();
    JsonNode settled;
    try (Running first = jar.start()) {
      settled = settle(first.awaitReady(), request, "the-key-of-this-attempt");
      assertThat(settled.path("success").booleanValue()).as(settled.toString()).isTrue();
      first.kill();
    }
    try (Running second = jar.start()) {
      URI base = second.awaitReady();
      assertThat(settle(base, request, "the-key-of-this-attempt")).isEqualTo(settled);
      assertThat(settle(base, request, "the-key-of-another").path("errorReason").textValue())
          .isEqualTo(USED);
    }
  }

  private static String request() throws Exception {
    PaymentRequirements terms =
        new PaymentRequirements(
            "exact",
            EvmToken.BASE_USDC.network(),
            "250000",
            EvmToken.BASE_USDC.address().toString(),
            PAY_TO,
            60,
            Map.of("name", "USD Coin", "version", "2"));
    String payment =
        new PaymentSigner(Wallet.generate(), Clock.systemUTC())
            .sign(
                new PaymentRequired(
                    2, null, ResourceInfo.at("https://other.example/x"), List.of(terms), null),
                terms);
    JsonNode envelope = JSON.readTree(Base64.getDecoder().decode(payment));
    ObjectNode request = JSON.createObjectNode().put("x402Version", 2);
    request.set("paymentPayload", envelope);
    request.set("paymentRequirements", envelope.path("accepted"));
    return request.toString();
  }

  private static JsonNode settle(URI base, String request, String key) throws Exception {
    HttpResponse<String> answer =
        Offer.HTTP.send(
            HttpRequest.newBuilder(base.resolve("/facilitator/settle"))
                .timeout(Running.TIMEOUT)
                .header("Content-Type", "application/json")
                .header("Idempotency-Key", key)
                .POST(BodyPublishers.ofString(request))
                .build(),
            BodyHandlers.ofString());
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    return JSON.readTree(answer.body());
  }

  @Test
  void anotherGatewayIsPaidThroughIt(@TempDir Path data) throws Exception {
    NodeClients.install();
    try (Sandbox vendors = Sandbox.start();
        Running gateway = paidThroughIt(data, vendors).start()) {
      URI base = gateway.awaitReady();
      JsonNode paid =
          NodeClients.run(
              Map.of(),
              List.of("pay.mjs", base + "/v1/marketplace/cryptodata/exchange/price?pair=BTC-USDT"));

      assertThat(paid.path("status").intValue()).as(paid.toString()).isEqualTo(200);
      assertThat(paid.at("/receipt/success").booleanValue()).isTrue();
      assertThat(gateway.said()).doesNotContain(TOKEN);
    }
  }

  /** Sandbox vendors stand beside sandbox money only, so that this gateway is given some. */
  private BuiltJar paidThroughIt(Path data, Sandbox vendors) throws Exception {
    BuiltJar jar =
        BuiltJar.quickIn(data, "--port", "0", "--data", data.toString())
            .set("gateway.payments.mode", "remote")
            .set("gateway.payments.pay-to", PAY_TO)
            .set("gateway.facilitator.urls", address)
            .set("gateway.facilitator.auth", "bearer")
            .environment("GATEWAY_FACILITATOR_TOKEN", TOKEN);
    for (Map.Entry<String, String> setting : vendors.settings().entrySet()) {
      jar = jar.set(setting.getKey(), setting.getValue());
    }
    return jar;
  }
}
