package dev.octroi.reference.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.octroi.payments.client.Wallet;
import dev.octroi.payments.x402.PaymentRequirements;
import dev.octroi.testchain.Contracts;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The published client of channels, unmodified, pays the built jar on a chain. */
@Tag("slow")
@Tag("spec:x402.client.typescript")
class ChannelOnChainIT {

  private static final String READ = "/v1/marketplace/cryptodata/exchange/price?pair=BTC-USDT";
  private static final String TOKEN = "a-token-of-this-test";

  /** Who is paid for the calls of another server. */
  private static final String OTHER = "0x036CbD53842c5426634e7929541eC2318f3dCF7e";

  private static final String PAYER_KEY = "11".repeat(32);
  private static final String PAYER = Wallet.fromHex(PAYER_KEY).address().toString();

  @TempDir private Path folder;
  private ChainShop shop;

  @BeforeEach
  void startTheChain() {
    shop = new ChainShop();
    Contracts.deployBatchSettlement(shop.anvil);
    shop.coin.mint(PAYER, ChainShop.FUNDS);
  }

  @AfterEach
  void stopTheChain() {
    if (shop != null) {
      shop.close();
    }
  }

  private Running gateway(String claimAfter) throws Exception {
    BuiltJar jar =
        shop.quickJar(folder)
            .set("gateway.facilitator.serve", "true")
            .set("gateway.facilitator.serve-token", TOKEN);
    return selling(jar, claimAfter);
  }

  private static Running selling(BuiltJar jar, String claimAfter) throws Exception {
    return jar.set("gateway.payments.channels.offered", "true")
        .set("gateway.payments.channels.claim-after", claimAfter)
        .set("gateway.payments.channels.claim-least", "0.001")
        .start();
  }

  private List<JsonNode> run(URI base, String... steps) throws Exception {
    return run(base, Map.of(), steps);
  }

  private List<JsonNode> run(URI base, Map<String, String> more, String... steps) throws Exception {
    NodeClients.install();
    List<String> command = new ArrayList<>(List.of("channel.mjs", base + READ));
    command.addAll(List.of(steps));
    Map<String, String> environment = new HashMap<>(more);
    environment.put("PAYER_KEY", "0x" + PAYER_KEY);
    environment.put("RPC", shop.anvil.url().toString());
    List<JsonNode> results = new ArrayList<>();
    NodeClients.run(environment, command).path("results").forEach(results::add);
    return results;
  }

  private long sent() {
    return Long.decode(
        shop.anvil.call("eth_getTransactionCount", ChainShop.relayer(), "latest").textValue());
  }

  /** What was promised to a node that was killed is claimed by its next start. */
  @Test
  @Tag("spec:money.2")
  void manyCallsCostADepositAClaimAndAPayoutWhateverBecomesOfTheNode() throws Exception {
    long price;
    try (Running gateway = gateway("1h")) {
      List<JsonNode> results = run(gateway.awaitReady(), "pay", "pay", "pay", "pay");

      results.forEach(
          result -> assertThat(result.path("status").asInt()).as("%s", result).isEqualTo(200));
      JsonNode first = results.get(0).path("receipt");
      price = first.at("/extra/chargedAmount").asLong();
      assertThat(shop.anvil.receipt(first.path("transaction").asText()).path("status").asText())
          .isEqualTo("0x1");
      assertThat(first.path("amount").asLong()).isEqualTo(5 * price);
      assertThat(results.get(3).at("/receipt/transaction").asText()).isEmpty();
      assertThat(shop.coin.balanceOf(Contracts.BATCH_SETTLEMENT)).isEqualTo(5 * price);
      assertThat(shop.earned()).isZero();
      assertThat(sent()).isEqualTo(1);
      gateway.kill();
    }
    try (Running gateway = gateway("1s")) {
      URI base = gateway.awaitReady();
      await().atMost(Running.TIMEOUT).until(() -> shop.earned() == 4 * price);
      assertThat(sent()).isEqualTo(3);

      JsonNode next = run(base, "pay").get(0);

      assertThat(next.path("status").asInt()).as("%s", next).isEqualTo(200);
      assertThat(next.at("/receipt/transaction").asText()).isEmpty();
      assertThat(next.at("/receipt/extra/channelState/chargedCumulativeAmount").asLong())
          .isEqualTo(5 * price);
      await().atMost(Running.TIMEOUT).until(() -> shop.earned() == 5 * price);
      JsonNode rest = run(base, "pay", "refund").get(1);
      assertThat(rest.path("success").asBoolean()).as("%s", rest).isTrue();
      assertThat(rest.path("amount").asLong()).isEqualTo(4 * price);
      assertThat(shop.coin.balanceOf(PAYER)).isEqualTo(ChainShop.FUNDS - 6 * price);
      await().atMost(Running.TIMEOUT).until(() -> shop.earned() == 6 * price);
      payAndHaveTheRestBack(base, 6 * price, price);
      serveThePublishedServer(base);
      Operator operator = new Operator(base, folder);
      await().atMost(Running.TIMEOUT).untilAsserted(operator::assertBooksAgree);
      assertThat(shop.earned()).isEqualTo(7 * price);
    }
  }

  /** A payer without gas brings a permit of the token along, by which Permit2 may move it. */
  @Test
  void aTokenThatTakesNoAuthorizationIsPaidOutOfChannelsByItsPermits() throws Exception {
    payOutOfChannels("name=Plain", "version=1");
  }

  /** The same with an approval, for which the gateway gives its payer the gas. */
  @Test
  void aTokenThatTakesNoSignaturesAtAllIsPaidOutOfChannelsByAnApproval() throws Exception {
    payOutOfChannels();
  }

  private void payOutOfChannels(String... said) throws Exception {
    Contracts.deployPermit2(shop.anvil);
    String token = Contracts.deployPlainToken(shop.anvil, 6);
    mint(token);
    BuiltJar jar =
        shop.quickJar(folder)
            .set("gateway.payments.tokens.plain.asset", token)
            .set("gateway.payments.tokens.plain.channels", "true")
            .set("gateway.payments.upto.offered", "false")
            .set("gateway.chain.approval-budget", "10000000");
    for (String one : said) {
      String[] setting = one.split("=", -1);
      jar = jar.set("gateway.payments.tokens.plain." + setting[0], setting[1]);
    }
    try (Running gateway = selling(jar, "1s")) {
      URI base = gateway.awaitReady();

      List<JsonNode> results = run(base, Map.of("ASSET", token), "pay", "pay", "pay");

      long price = results.get(0).at("/receipt/extra/chargedAmount").asLong();
      assertThat(results.get(0).at("/receipt/amount").asLong())
          .as("%s", results)
          .isEqualTo(5 * price);
      assertThat(results.get(2).path("status").asInt()).as("%s", results).isEqualTo(200);
      assertThat(results.get(2).at("/receipt/transaction").asText()).isEmpty();
      assertThat(held(token, PAYER)).isEqualTo(ChainShop.FUNDS - 5 * price);
      await().atMost(Running.TIMEOUT).until(() -> held(token, ChainShop.SELLER) == 3 * price);
      Operator operator = new Operator(base, folder);
      await().atMost(Running.TIMEOUT).untilAsserted(operator::assertBooksAgree);
    }
  }

  private void mint(String token) {
    String words = "0".repeat(24) + PAYER.substring(2) + "%064x".formatted(ChainShop.FUNDS);
    shop.anvil.execute(shop.anvil.account(0), token, "0x40c10f19" + words);
  }

  private long held(String token, String account) {
    String said = shop.anvil.ask(token, "0x70a08231" + "0".repeat(24) + account.substring(2));
    return Long.parseLong(said.substring(2), 16);
  }

  /** The command goes on in the channel of the published client. */
  private void payAndHaveTheRestBack(URI base, long before, long price) throws Exception {
    Path key = Files.writeString(folder.resolve("payer.key"), "0x" + PAYER_KEY);
    for (String what : List.of("--max=1", "--refund")) {
      try (Running pay =
          BuiltJar.quickIn(folder, "pay", "--scheme", "batch-settlement", what, base + READ)
              .and("--key-file", key.toString())
              .start()) {
        assertThat(pay.awaitExit()).as(pay::said).isZero();
      }
    }
    assertThat(shop.coin.balanceOf(PAYER)).isEqualTo(ChainShop.FUNDS - before - price);
    await().atMost(Running.TIMEOUT).until(() -> shop.earned() == before + price);
  }

  /** The published facilitator, unmodified, has the seller's key, and sends all that is sent. */
  @Test
  @Tag("spec:x402.facilitator.settle")
  void theSameIsSettledByThePublishedFacilitator() throws Exception {
    NodeClients.install();
    List<String> script =
        List.of(
            "facilitator.mjs",
            shop.anvil.url().toString(),
            "0x" + ChainShop.RELAYER_KEY,
            "0x" + "48".repeat(32));
    try (Running facilitator = NodeClients.start(script);
        Running gateway =
            selling(shop.quickJarBehind(facilitator.awaitListening(), folder), "1s")) {
      URI base = gateway.awaitReady();
      await()
          .atMost(Running.TIMEOUT)
          .until(
              () ->
                  Offer.query(base).challenge().accepts().stream()
                      .anyMatch(PaymentRequirements::isChannel));

      List<JsonNode> results = run(base, "pay", "pay", "pay", "refund");

      JsonNode first = results.get(0).path("receipt");
      long price = first.at("/extra/chargedAmount").asLong();
      assertThat(first.path("amount").asLong()).as("%s", results).isEqualTo(5 * price);
      assertThat(results.get(2).path("status").asInt()).as("%s", results).isEqualTo(200);
      assertThat(results.get(2).at("/receipt/transaction").asText()).isEmpty();
      JsonNode rest = results.get(3);
      assertThat(rest.path("success").asBoolean()).as("%s", rest).isTrue();
      assertThat(rest.path("amount").asLong()).isEqualTo(2 * price);
      assertThat(shop.coin.balanceOf(PAYER)).isEqualTo(ChainShop.FUNDS - 3 * price);
      await().atMost(Running.TIMEOUT).until(() -> shop.earned() == 3 * price);
      Operator operator = new Operator(base, folder);
      await().atMost(Running.TIMEOUT).untilAsserted(operator::assertBooksAgree);
      assertThat(facilitator.outText())
          .contains("deposit: {\"success\":true", "claim: {\"success\":true")
          .contains("settle: {\"success\":true", "refund: {\"success\":true");
    }
  }

  /**
   * Other servers, of which one claims and refunds by the facilitator's key, and one by its own.
   */
  private void serveThePublishedServer(URI base) throws Exception {
    Map<String, String> environment =
        Map.of(
            "FACILITATOR_TOKEN",
            TOKEN,
            "PAYER_KEY",
            "0x" + PAYER_KEY,
            "RPC",
            shop.anvil.url().toString());
    long funds = shop.coin.balanceOf(PAYER);

    JsonNode seen =
        NodeClients.run(
            environment,
            List.of("channel-seller.mjs", base.resolve("/facilitator").toString(), OTHER));

    assertThat(seen.path("supported").toString()).contains("batch-settlement");
    seen.path("calls").forEach(call -> assertThat(call.path("status").asInt()).isEqualTo(200));
    JsonNode first = seen.path("calls").path(0).path("receipt");
    assertThat(first.path("amount").asLong()).as("%s", first).isEqualTo(100_000);
    assertThat(seen.at("/earned/claims/0/vouchers").asInt()).as("%s", seen).isEqualTo(1);
    assertThat(seen.at("/earned/settle/transaction").asText()).startsWith("0x");
    assertThat(seen.at("/after/receipt/transaction").asText("-")).as("%s", seen).isEmpty();
    assertThat(seen.at("/part/amount").asText()).as("%s", seen).isEqualTo("10000");
    assertThat(seen.at("/rest/0/transaction").asText()).as("%s", seen).startsWith("0x");
    assertThat(seen.path("idle").asText()).contains("nothing_to_settle");
    assertThat(shop.coin.balanceOf(OTHER)).as("4 calls").isEqualTo(40_000);
    assertThat(seen.at("/other/status").asInt()).as("%s", seen).isEqualTo(200);
    assertThat(seen.at("/back/0/transaction").asText()).as("%s", seen).startsWith("0x");
    assertThat(shop.coin.balanceOf(PAYER)).as("a call more").isEqualTo(funds - 50_000);
  }
}
