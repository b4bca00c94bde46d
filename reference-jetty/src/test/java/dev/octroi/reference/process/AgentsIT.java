package dev.octroi.reference.process;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/**
 * The built jar as agents meet it: found by the published x402 extension, called as tools by the
 * official client of the Model Context Protocol, both unmodified.
 */
@Tag("slow")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class AgentsIT {

  private Running gateway;
  private URI base;
  private String key;
  private JsonNode seen;

  @BeforeAll
  void serveAndLetTheClientRunItsCalls(@TempDir Path data) throws Exception {
    NodeClients.install();
    gateway =
        BuiltJar.quickIn(data, "--port", "0", "--data", data.toString())
            .set("gateway.images.fast-path", "300ms")
            .set("gateway.mcp.job-poll", "300ms")
            .start();
    base = gateway.awaitReady();
    key =
        new Operator(base, data)
            .post("keys", "{\"name\":\"agent\",\"fund\":\"10\"}")
            .path("secret")
            .asText();
    seen = NodeClients.run(Map.of(), List.of("tools.mjs", base.toString(), key));
  }

  @AfterAll
  void stop() {
    if (gateway != null) {
      gateway.close();
    }
  }

  @Test
  @Tag("spec:x402.extension.bazaar")
  @Tag("spec:x402.facilitator.discovery")
  void thePublishedExtensionFindsAndUnderstandsEverythingThatIsSold() throws Exception {
    JsonNode found = NodeClients.run(Map.of(), List.of("bazaar.mjs", base.toString()));

    assertThat(found.path("problems")).as(found.toString()).isEmpty();
    assertThat(found.path("listed").intValue())
        .isGreaterThan(200)
        .isEqualTo(found.path("tools").intValue());
    assertThat(found.path("below").asBoolean()).isTrue();
    assertThat(found.path("templates").intValue()).isGreaterThan(30);
  }

  @Test
  @Tag("spec:mcp.tools")
  void theOfficialClientListsEverythingThatIsSold() {
    assertThat(seen.at("/server/name").textValue()).isEqualTo("Octroi");
    assertThat(seen.path("tools")).hasSizeGreaterThan(200);
    assertThat(seen.path("tools").findValuesAsText("name"))
        .contains("cryptodata_exchange_price", "messages", "voice_call", "phone_numbers_buy");
  }

  private JsonNode tool(String name) {
    return seen.path("tools")
        .valueStream()
        .filter(tool -> tool.path("name").textValue().equals(name))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void anAgentIsToldWhatCannotBeUndone() {
    JsonNode released = tool("phone_numbers_release");
    assertThat(released.at("/annotations/destructiveHint").booleanValue()).isTrue();
    assertThat(released.path("description").textValue()).contains("it cannot be undone");
    JsonNode bought = tool("phone_numbers_buy");
    assertThat(bought.at("/annotations/readOnlyHint").booleanValue()).isFalse();
    assertThat(bought.at("/annotations/destructiveHint").booleanValue()).isFalse();
    assertThat(bought.at("/annotations/idempotentHint").booleanValue()).isFalse();
    assertThat(tool("voice_call_end").at("/annotations/destructiveHint").booleanValue()).isTrue();
    assertThat(tool("messages").at("/annotations/readOnlyHint").booleanValue()).isTrue();
  }

  @Test
  void theOfficialClientFindsReadsAndCallsByName() {
    assertThat(seen.path("first")).hasSizeLessThan(12);
    assertThat(seen.at("/lists/resources")).isEmpty();
    assertThat(seen.at("/lists/prompts")).isEmpty();
    assertThat(seen.at("/found/structuredContent/operations/0/name").textValue())
        .as(seen.path("found").toString())
        .isEqualTo("cryptodata_exchange_price");
    assertThat(seen.at("/told/structuredContent/example/pair").textValue()).isEqualTo("BTC-USDT");
    assertThat(seen.at("/named/structuredContent/data").isArray())
        .as(seen.path("named").toString())
        .isTrue();
  }

  @Test
  @Tag("spec:x402.mcp.payment_required")
  void anUnpaidCallIsToldWhatToPay() {
    assertThat(seen.at("/unpaid/isError").booleanValue()).isTrue();
    assertThat(seen.at("/unpaid/structuredContent/accepts/0/amount").textValue()).isEqualTo("9500");
    assertThat(seen.at("/unpaid/content/0/text").textValue()).startsWith("{\"x402/error\":");
  }

  @Test
  @Tag("spec:x402.mcp.payment_response")
  void aPaidCallIsAnsweredWithItsSettlement() {
    JsonNode settlement = seen.path("paid").path("_meta").path("x402/payment-response");

    assertThat(seen.at("/paid/isError").asBoolean()).as(seen.path("paid").toString()).isFalse();
    assertThat(settlement.path("success").booleanValue()).isTrue();
    assertThat(settlement.path("payer").textValue())
        .isEqualToIgnoringCase(seen.path("payer").textValue());
    assertThat(seen.at("/paid/structuredContent/data").isArray()).isTrue();
  }

  @Test
  @Tag("spec:mcp.progress")
  void aJobTellsOfItsProgressAndIsPaidWhenItIsDone() {
    JsonNode job = seen.path("job");

    assertThat(seen.path("progress")).as(job.toString()).isNotEmpty();
    assertThat(seen.path("progress").findValuesAsText("message"))
        .allMatch(status -> List.of("queued", "in_progress").contains(status));
    assertThat(job.at("/structuredContent/status").textValue())
        .as(job.toString())
        .isEqualTo("completed");
    assertThat(job.at("/structuredContent/data/0/url").textValue()).startsWith(base.toString());
    assertThat(job.path("_meta").path("x402/payment-response").path("success").booleanValue())
        .isTrue();
  }

  @Test
  @Tag("spec:auth.api_key")
  void anApiKeyCallsWithoutASignature() {
    assertThat(seen.at("/keyed/isError").asBoolean()).as(seen.path("keyed").toString()).isFalse();
    assertThat(seen.at("/keyed/structuredContent/price/amount").textValue()).isEqualTo("0.009500");
    assertThat(seen.at("/chat/structuredContent/choices/0/message/content").textValue())
        .as(seen.path("chat").toString())
        .contains("yes");
    assertThat(seen.path("refused").path("_meta").path("octroi/status").intValue()).isEqualTo(401);
  }
}
