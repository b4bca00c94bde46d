package dev.octroi.reference.process;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.octroi.payments.evm.ReceiptSigner;
import java.math.BigDecimal;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The published x402 client, unmodified, pays the built jar. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("spec:x402.client.typescript")
class PublishedClientIT {

  private static final String SIGNING_KEY = "02".repeat(32);

  private Running gateway;
  private URI base;

  @BeforeAll
  void installTheClientAndServe(@TempDir Path data) throws Exception {
    NodeClients.install();
    gateway =
        BuiltJar.quickIn(data, "--port", "0", "--data", data.toString())
            .set("gateway.receipts.signing-key", SIGNING_KEY)
            .set("gateway.receipts.sign-offers", "true")
            .set("gateway.payments.sign-in", "true")
            .start();
    base = gateway.awaitReady();
  }

  @AfterAll
  void stop() {
    if (gateway != null) {
      gateway.close();
    }
  }

  @Test
  void itPaysForAGet() throws Exception {
    JsonNode paid = pay("/v1/marketplace/cryptodata/exchange/price?pair=BTC-USDT");

    assertPaid(paid);
    assertThat(paid.path("body").asText()).contains("\"price\"");
  }

  @Test
  void itPaysForAPost() throws Exception {
    JsonNode paid =
        pay("/v1/marketplace/cryptodata/onchain/sql", "POST", "{\"sql\":\"SELECT 42 AS answer\"}");

    assertPaid(paid);
    assertThat(paid.path("body").asText()).contains("42");
  }

  @Test
  void itSignsMoreThanADollarWhereItsBuyerSaysSo() throws Exception {
    String buy = base + "/v1/marketplace/phone/numbers/buy";
    List<String> call = List.of("pay.mjs", buy, "POST", "{\"country\":\"US\"}");

    JsonNode refused = NodeClients.run(Map.of(), call);
    JsonNode paid = NodeClients.run(Map.of("MOST", "$6"), call);

    assertThat(refused.path("refused").asText()).as(refused.toString()).contains("Error");
    assertThat(paid.path("status").asInt()).as(paid.toString()).isEqualTo(200);
    assertThat(paid.path("price").asText()).isEqualTo("5.002000");
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  @Tag("spec:money.7")
  void itSignsACeilingAndIsChargedWhatAModelUsed(boolean stream) throws Exception {
    String streaming = stream ? "\"stream\":true,\"stream_options\":{\"include_usage\":true}," : "";
    String body =
        "{\"model\":\"auto/best\",\"max_tokens\":4000,%s\"messages\":[{\"role\":\"user\",\"content\":\"Hi\"}]}"
            .formatted(streaming);
    List<String> call = List.of("pay.mjs", base + "/v1/chat/completions", "POST", body);

    JsonNode exact = NodeClients.run(Map.of(), call);
    JsonNode upto = NodeClients.run(Map.of("SCHEME", "upto"), call);

    assertThat(exact.path("status").asInt()).as(exact.toString()).isEqualTo(200);
    assertThat(upto.path("status").asInt()).as(upto.toString()).isEqualTo(200);
    BigDecimal quote = new BigDecimal(exact.path("price").asText());
    assertThat(cost(exact.path("body").asText())).isEqualByComparingTo(quote);
    BigDecimal used = cost(upto.path("body").asText());
    assertThat(used).isPositive().isLessThan(quote);
    if (!stream) {
      assertThat(upto.at("/receipt/amount").asText())
          .isEqualTo(used.movePointRight(6).toBigIntegerExact().toString());
    }
  }

  private static BigDecimal cost(String body) {
    Matcher cost = Pattern.compile("\"cost\":([0-9.]+)").matcher(body);
    assertThat(cost.find()).as(body).isTrue();
    return new BigDecimal(cost.group(1));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/v1/prediction/venue-a/markets?limit=2",
        "/api/v1/marketplace/cryptodata/exchange/price?pair=BTC-USDT"
      })
  @Tag("spec:payment.binding.resource")
  void itPaysUnderAnAliasWhateverNameOfItItStates(String alias) throws Exception {
    String asked = base + alias;
    String canonical =
        asked.replace("/api/", "/").replace("/v1/prediction", "/v1/marketplace/prediction");
    for (String stated : List.of(asked, canonical)) {
      JsonNode paid = NodeClients.run(Map.of("STATED", stated), List.of("pay.mjs", asked));
      assertPaid(paid);
      assertThat(paid.path("named").asText()).isEqualTo(asked);
    }
    JsonNode other =
        NodeClients.run(Map.of("STATED", base + "/v1/models"), List.of("pay.mjs", asked));
    assertThat(other.path("status").asInt()).isEqualTo(402);
    assertThat(other.path("body").asText()).contains("resource_mismatch");
  }

  @Test
  @Tag("spec:x402.extension.offer_receipt")
  void thePublishedExtensionKnowsWhoSignedTheOffers() throws Exception {
    String url = base + "/v1/marketplace/cryptodata/exchange/price?pair=BTC-USDT";

    JsonNode seen = run("offers.mjs", url);

    assertThat(seen.path("status").asInt()).isEqualTo(402);
    assertThat(seen.path("offers")).hasSize(seen.path("accepts").asInt());
    JsonNode offer = seen.at("/offers/0");
    assertThat(offer.path("signer").asText())
        .isEqualTo(new ReceiptSigner(SIGNING_KEY).address().toString());
    assertThat(offer.path("resourceUrl").asText()).isEqualTo(url);
    assertThat(offer.path("stands").asBoolean()).isTrue();
    assertThat(offer.path("matched").asInt()).isZero();
  }

  @Test
  void itSignsInWithItsWalletAndSeesWhatItPaidFor() throws Exception {
    String url = base + "/v1/marketplace/cryptodata/exchange/price?pair=ETH-USDT";

    JsonNode seen = run("sign-in.mjs", url, base + "/v1/wallet");

    assertThat(seen.at("/bought/status").asInt()).as(seen.toString()).isEqualTo(200);
    assertThat(seen.path("payments").asInt()).as(seen.toString()).isEqualTo(1);
    assertThat(seen.path("again")).isEqualTo(seen.path("bought"));
    assertThat(seen.path("signedIn")).isEqualTo(seen.path("bought"));
    assertThat(seen.at("/stranger/status").asInt()).isEqualTo(402);
    assertThat(seen.at("/wallet/status").asInt()).as(seen.toString()).isEqualTo(200);
    assertThat(seen.at("/wallet/body").asText()).contains(seen.path("payer").asText());
    assertThat(seen.at("/replayed/status").asInt()).isEqualTo(401);
    assertThat(seen.at("/replayed/body").asText()).contains("invalid_siwx_nonce");
  }

  @Test
  @Tag("spec:x402.v1.envelope")
  @Tag("spec:x402.v1.body")
  void itsFormerVersionPaysForAGet(@TempDir Path folder) throws Exception {
    try (Running former =
        BuiltJar.quickIn(folder, "--port", "0", "--data", folder.toString())
            .set("gateway.payments.challenge-body", "v1")
            .start()) {
      URI address = former.awaitReady();
      JsonNode paid =
          run("pay-v1.mjs", address + "/v1/marketplace/cryptodata/exchange/price?pair=BTC-USDT");

      assertThat(paid.path("status").asInt()).as(paid.toString()).isEqualTo(200);
      assertThat(paid.at("/receipt/success").asBoolean()).as(paid.toString()).isTrue();
      assertThat(paid.at("/receipt/network").asText()).isEqualTo("base");
      assertThat(paid.at("/receipt/transaction").asText())
          .isEqualTo(paid.path("transaction").asText())
          .startsWith("sandbox:");
    }
  }

  private static void assertPaid(JsonNode paid) {
    assertThat(paid.path("status").asInt()).as(paid.toString()).isEqualTo(200);
    JsonNode receipt = paid.path("receipt");
    assertThat(receipt.path("success").asBoolean()).as(paid.toString()).isTrue();
    assertThat(receipt.path("network").asText()).isEqualTo("eip155:8453");
    assertThat(receipt.path("transaction").asText()).startsWith("sandbox:");
    assertThat(receipt.path("payer").asText()).isEqualToIgnoringCase(paid.path("payer").asText());
    assertThat(paid.path("cacheControl").asText()).contains("private");
    assertThat(paid.path("price").asText()).matches("0\\.[0-9]{6}");
  }

  private JsonNode pay(String target, String... more) throws Exception {
    List<String> arguments = new ArrayList<>(List.of(base + target));
    arguments.addAll(List.of(more));
    return run("pay.mjs", arguments.toArray(String[]::new));
  }

  private static JsonNode run(String script, String... arguments) throws Exception {
    List<String> command = new ArrayList<>(List.of(script));
    command.addAll(List.of(arguments));
    return NodeClients.run(Map.of(), command);
  }
}
