package dev.octroi.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What agents meet: the listing, the tools, and browsers the page. */
abstract class AgentsBehaviour extends Behaviour {

  private static final String TOOL = "cryptodata_exchange_price";

  private Reply tool(ObjectNode meta) {
    ObjectNode message = Json.MAPPER.createObjectNode();
    message.put("jsonrpc", "2.0").put("id", 1).put("method", "tools/call");
    ObjectNode params = message.putObject("params").put("name", TOOL);
    params.putObject("arguments").put("pair", "BTC-USDT");
    params.set("_meta", meta);
    return deployment()
        .send(
            Call.post("/mcp", Json.write(message))
                .with("Accept", "application/json, text/event-stream"));
  }

  private static JsonNode result(Reply reply) {
    assertThat(reply.status()).as(reply.toString()).isEqualTo(200);
    String data =
        reply
            .text()
            .lines()
            .filter(line -> line.startsWith("data: "))
            .findFirst()
            .orElseThrow(() -> new AssertionError(reply.toString()));
    return Json.read(data.substring("data: ".length()).getBytes(StandardCharsets.UTF_8))
        .path("result");
  }

  @Test
  @Tag("spec:x402.facilitator.discovery")
  void theListingHasAReadAtThePriceThatIsAsked() {
    Reply page = deployment().send(Call.get("/discovery/resources?limit=100"));

    assertThat(page.status()).as(page.toString()).isEqualTo(200);
    JsonNode challenge = deployment().challenge(TICKER).json();
    String address = challenge.path("resource").path("url").asText().replaceFirst("\\?.*", "");
    JsonNode listed =
        page.json()
            .path("items")
            .valueStream()
            .filter(item -> item.path("resource").asText().equals(address))
            .findFirst()
            .orElseThrow(() -> new AssertionError(page.toString()));
    assertThat(listed.path("accepts")).isEqualTo(challenge.path("accepts"));
  }

  @Test
  @Tag("spec:x402.mcp.payment_required")
  void anUnpaidToolIsToldTheChallengeOfItsResource() {
    JsonNode result = result(tool(Json.MAPPER.createObjectNode()));

    assertThat(result.path("isError").asBoolean()).as(result.toString()).isTrue();
    assertThat(result.path("structuredContent"))
        .as(result.toString())
        .isEqualTo(deployment().challenge(TICKER).decoded("PAYMENT-REQUIRED"));
  }

  @Test
  @Tag("spec:x402.mcp.payment_response")
  void aPaidToolIsAnsweredAndItsPaymentIsSpent() {
    String payment = deployment().payment(TICKER);
    ObjectNode meta = Json.MAPPER.createObjectNode();
    meta.set("x402/payment", Json.read(Base64.getDecoder().decode(payment)));

    JsonNode result = result(tool(meta));

    assertThat(result.path("isError").asBoolean()).as(result.toString()).isFalse();
    assertThat(result.path("structuredContent").path("data").isArray()).isTrue();
    assertThat(result.path("_meta").path("x402/payment-response").path("success").asBoolean())
        .isTrue();
    assertThat(deployment().send(TICKER, payment).status()).isEqualTo(402);
  }

  @Test
  @Tag("spec:paywall.html")
  void aBrowserGetsAPageThatStillIsAChallenge() {
    Reply page = deployment().send(TICKER.with("Accept", "text/html,*/*;q=0.8"));

    assertThat(page.status()).isEqualTo(402);
    assertThat(page.header("Content-Type")).startsWithIgnoringCase("text/html");
    assertThat(page.header("Content-Security-Policy")).startsWith("default-src 'none'");
    assertThat(page.text()).contains("0.0095 USDC on Base</strong>");
    assertThat(page.decoded("PAYMENT-REQUIRED").path("accepts").isEmpty()).isFalse();
  }
}
