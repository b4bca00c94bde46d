package dev.octroi.reference.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.octroi.payments.client.Wallet;
import dev.octroi.testchain.Contracts;
import dev.octroi.testchain.Stablecoin;
import java.math.BigInteger;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The built jar is paid in a plain token of 18 decimals by Permit2, beside the usual stablecoin.
 */
@Tag("slow")
class PermitIT {

  private static final String READ = "/v1/marketplace/cryptodata/exchange/price?pair=BTC-USDT";
  private static final String PAYER_KEY = "11".repeat(32);
  private static final BigInteger DOLLAR = BigInteger.TEN.pow(18);

  @TempDir private Path folder;
  private ChainShop shop;
  private String token = "";

  @BeforeEach
  void startTheChain() {
    shop = new ChainShop();
    Contracts.deployPermit2(shop.anvil);
    token = Contracts.deployPlainToken(shop.anvil);
  }

  @AfterEach
  void stopTheChain() {
    if (shop != null) {
      shop.close();
    }
  }

  private BuiltJar jar() throws Exception {
    return withToken(shop.quickJar(folder)).set("gateway.payments.tokens.plain.refunds", "true");
  }

  private BuiltJar withToken(BuiltJar plain) {
    return plain
        .set("gateway.payments.tokens.plain.asset", token)
        .set("gateway.payments.tokens.plain.decimals", "18");
  }

  private void give(String account) {
    shop.anvil.setBalance(account, DOLLAR);
    shop.anvil.execute(account, token, data("40c10f19", account, DOLLAR));
  }

  private void approve(String account) {
    shop.anvil.execute(account, token, data("095ea7b3", Contracts.PERMIT2, DOLLAR));
  }

  private BigInteger earned() {
    return earned(token);
  }

  /** Out of a treasury with a dollar of the token, which Permit2 may move. */
  private void giveBack(Operator operator, String transaction) throws Exception {
    String payment = operator.get("payments?transaction=" + transaction).at("/data/0/id").asText();
    give(ChainShop.treasury());
    approve(ChainShop.treasury());

    operator.post("refunds", "{\"payment\":\"%s\",\"reason\":\"late\"}".formatted(payment));

    String refunds = "refunds?payment=" + payment;
    await()
        .atMost(Running.TIMEOUT)
        .until(() -> operator.get(refunds).at("/data/0/state").asText().equals("paid"));
    operator.assertBooksAgree();
  }

  private BigInteger earned(String asset) {
    return balance(asset, ChainShop.SELLER);
  }

  private BigInteger balance(String asset, String account) {
    String answer = shop.anvil.ask(asset, data("70a08231", account));
    return new BigInteger(answer.substring(2), 16);
  }

  private static String data(String selector, String account) {
    return "0x" + selector + "0".repeat(24) + account.substring(2);
  }

  private static String data(String selector, String account, BigInteger amount) {
    return data(selector, account) + String.format("%064x", amount);
  }

  @Test
  void thePublishedClientPaysOnceItsAllowanceIsThereAndTheTreasuryGivesItBack() throws Exception {
    NodeClients.install();
    String payer = Wallet.fromHex(PAYER_KEY).address().toString();
    give(payer);
    try (Running gateway = jar().start()) {
      URI base = gateway.awaitReady();
      Map<String, String> environment = Map.of("PAYER_KEY", "0x" + PAYER_KEY, "ASSET", token);
      List<String> call = List.of("pay.mjs", base.resolve(READ).toString());

      JsonNode early = NodeClients.run(environment, call);
      approve(payer);
      JsonNode paid = NodeClients.run(environment, call);

      assertThat(early.path("status").asInt()).as(early.toString()).isEqualTo(412);
      assertThat(early.path("body").asText()).contains("permit2_allowance_required");
      assertThat(paid.path("status").asInt()).as(paid.toString()).isEqualTo(200);
      assertThat(paid.at("/receipt/amount").asText()).isEqualTo(earned().toString());
      assertThat(earned()).isEqualTo(new BigInteger("9500000000000000"));
      String transaction = paid.at("/receipt/transaction").asText();
      assertThat(shop.anvil.receipt(transaction).path("status").asText()).isEqualTo("0x1");
      assertThat(shop.earned()).isZero();
      giveBack(new Operator(base, folder), transaction);
      assertThat(balance(token, payer)).isEqualTo(DOLLAR);
    }
  }

  @Test
  void thePublishedClientsFirstPaymentNeedsNeitherGasNorAllowanceWithPermitsOrGivenGas()
      throws Exception {
    NodeClients.install();
    String payer = Wallet.fromHex(PAYER_KEY).address().toString();
    give(payer);
    String bare = Contracts.deployPlainToken(shop.anvil);
    shop.anvil.execute(shop.anvil.account(0), bare, data("40c10f19", payer, DOLLAR));
    shop.anvil.setBalance(payer, BigInteger.ZERO);
    BuiltJar permitting =
        jar()
            .set("gateway.payments.tokens.plain.name", "Plain")
            .set("gateway.payments.tokens.plain.version", "1")
            .set("gateway.payments.tokens.bare.asset", bare)
            .set("gateway.payments.tokens.bare.decimals", "18")
            .set("gateway.payments.upto.offered", "false")
            .set("gateway.chain.approval-budget", "10000000");
    try (Running gateway = permitting.start()) {
      URI base = gateway.awaitReady();
      for (String asset : List.of(token, bare)) {
        Map<String, String> environment =
            Map.of(
                "PAYER_KEY", "0x" + PAYER_KEY, "ASSET", asset, "RPC", shop.anvil.url().toString());

        JsonNode paid =
            NodeClients.run(environment, List.of("pay.mjs", base.resolve(READ).toString()));

        assertThat(paid.path("status").asInt()).as(paid.toString()).isEqualTo(200);
        assertThat(earned(asset)).isEqualTo(new BigInteger("9500000000000000"));
      }
      new Operator(base, folder).assertBooksAgree();
    }
  }

  @Test
  void aGatewayKilledWhileItSettlesFinishesAfterItsRestartAndGivesTheAnswer() throws Exception {
    Wallet payer = Wallet.generate();
    give(payer.address().toString());
    approve(payer.address().toString());
    Sale sale;
    try (Running gateway = jar().start()) {
      URI base = gateway.awaitReady();
      sale = Offer.query(base).accept(payer, 1);
      shop.anvil.automine(false);
      CompletableFuture<HttpResponse<String>> lost = sale.sendAsync(base);
      shop.awaitPending();
      gateway.kill();
      assertThat(lost).failsWithin(Running.TIMEOUT);
    }
    shop.anvil.automine(true);
    shop.anvil.mine(1);
    BigInteger earned = earned();
    assertThat(earned).isPositive();

    try (Running gateway = jar().start()) {
      URI base = gateway.awaitReady();
      Sale same = sale;
      await()
          .atMost(Running.TIMEOUT)
          .until(() -> same.send(base).statusCode(), status -> status == 200);
      assertThat(same.send(base).statusCode()).isEqualTo(402);
      assertThat(earned()).isEqualTo(earned);
    }
  }

  /** What the published client asks of a model, by signing a ceiling in the usual stablecoin. */
  private JsonNode chat(URI base, boolean stream) throws Exception {
    String body =
        "{\"model\":\"auto/best\",\"max_tokens\":4000,\"stream\":%s,\"messages\":[{\"role\":\"user\",\"content\":\"Hi\"}]}"
            .formatted(stream);
    return NodeClients.run(
        Map.of("PAYER_KEY", "0x" + PAYER_KEY, "SCHEME", "upto"),
        List.of("pay.mjs", base.resolve("/v1/chat/completions").toString(), "POST", body));
  }

  private void fundForCeilings() {
    String payer = Wallet.fromHex(PAYER_KEY).address().toString();
    shop.anvil.setBalance(payer, DOLLAR);
    shop.coin.mint(payer, ChainShop.FUNDS);
    shop.anvil.execute(
        payer,
        Stablecoin.ON_BASE,
        data("095ea7b3", Contracts.PERMIT2, BigInteger.valueOf(ChainShop.FUNDS)));
  }

  @Test
  void thePublishedClientSignsACeilingAndIsChargedWhatAModelUsed() throws Exception {
    NodeClients.install();
    fundForCeilings();
    try (Running gateway = jar().start()) {
      URI base = gateway.awaitReady();

      JsonNode whole = chat(base, false);
      long first = shop.earned();
      JsonNode stream = chat(base, true);

      assertThat(whole.path("status").asInt()).as(whole.toString()).isEqualTo(200);
      assertThat(whole.at("/receipt/amount").asText()).isEqualTo(String.valueOf(first));
      assertThat(first).isPositive().isLessThan(10_000);
      assertThat(stream.path("status").asInt()).as(stream.toString()).isEqualTo(200);
      await().atMost(Running.TIMEOUT).until(() -> shop.earned() > first);
      new Operator(base, folder).assertBooksAgree();
    }
  }

  @Test
  void aStreamWhoseGatewayIsKilledWhileItSettlesIsPaidForAfterTheRestart() throws Exception {
    NodeClients.install();
    fundForCeilings();
    try (Running gateway = jar().start()) {
      URI base = gateway.awaitReady();
      shop.anvil.automine(false);
      CompletableFuture<JsonNode> call =
          CompletableFuture.supplyAsync(
              () -> {
                try {
                  return chat(base, true);
                } catch (Exception e) {
                  throw new IllegalStateException(e);
                }
              });
      shop.awaitPending();
      gateway.kill();
      call.exceptionally(broken -> null).join();
    }
    shop.anvil.automine(true);
    shop.anvil.mine(1);

    try (Running gateway = jar().start()) {
      URI base = gateway.awaitReady();
      await().atMost(Running.TIMEOUT).until(() -> shop.earned() > 0);
      long earned = shop.earned();
      Operator operator = new Operator(base, folder);
      await().atMost(Running.TIMEOUT).untilAsserted(operator::assertBooksAgree);
      assertThat(shop.earned()).isEqualTo(earned);
    }
  }

  @Test
  void aFacilitatorThatIsAnotherGatewaySettlesInThatToken() throws Exception {
    Wallet payer = Wallet.generate();
    give(payer.address().toString());
    approve(payer.address().toString());
    try (Running facilitator = jar().set("gateway.facilitator.serve", "true").start()) {
      URI settling = facilitator.awaitReady().resolve("/facilitator");
      try (Running gateway =
          withToken(shop.quickJarBehind(settling, folder.resolve("shop"))).start()) {
        URI base = gateway.awaitReady();

        HttpResponse<String> answer = Offer.read(base).accept(payer, 1).send(base);

        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        assertThat(earned()).isEqualTo(new BigInteger("9500000000000000"));
      }
    }
  }

  @Test
  void thePublishedClientPaysWithSandboxMoneyWithoutAChain(@TempDir Path sandbox) throws Exception {
    NodeClients.install();
    try (Running gateway =
        withToken(BuiltJar.quickIn(sandbox, "--port", "0", "--data", sandbox.toString())).start()) {
      URI base = gateway.awaitReady();

      JsonNode paid =
          NodeClients.run(
              Map.of("ASSET", token), List.of("pay.mjs", base.resolve(READ).toString()));
      JsonNode usual = NodeClients.run(Map.of(), List.of("pay.mjs", base.resolve(READ).toString()));

      assertThat(paid.path("status").asInt()).as(paid.toString()).isEqualTo(200);
      assertThat(paid.at("/receipt/amount").asText()).isEqualTo("9500000000000000");
      assertThat(usual.at("/receipt/amount").asText()).as(usual.toString()).isEqualTo("9500");
    }
  }
}
