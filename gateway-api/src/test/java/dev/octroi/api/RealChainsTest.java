package dev.octroi.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.octroi.payments.solana.Base58;
import dev.octroi.payments.solana.SolanaWallet;
import dev.octroi.testchain.Anvil;
import dev.octroi.testchain.SolanaNode;
import dev.octroi.testchain.Stablecoin;
import java.math.BigInteger;
import java.net.http.HttpResponse;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Gateways that settle on both chains by themselves, and one that has them settle. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("slow")
class RealChainsTest {

  private static final String READ = "/v1/marketplace/cryptodata/market/etf";
  private static final String SELLER = "0x209693Bc6afc0C5328bA36FaF03C514EF312287C";
  private static final String RELAYER_KEY = "46".repeat(32);
  private static final String RELAYER = "0x9d8A62f656a8d1615C1294fd71e9CFb3E4855A4F";
  private static final long DOLLAR = 1_000_000;
  private static final long LAMPORTS = 1_000_000_000;

  private final SolanaWallet seller = SolanaWallet.generate();
  private final SolanaWallet feePayer = SolanaWallet.generate();
  private Anvil anvil;
  private Stablecoin coin;
  private SolanaNode node;
  private String earned;
  private Admin admin;

  @BeforeAll
  void start() {
    anvil = Anvil.start();
    coin = Stablecoin.deploy(anvil);
    anvil.setBalance(RELAYER, BigInteger.TEN.pow(20));
    node = SolanaNode.start();
    node.lamports(feePayer.address().toString(), LAMPORTS);
    earned = node.tokens(seller.address().toString(), 0);
    admin = new Admin(settling(feePayer));
  }

  @AfterAll
  void stop() {
    if (admin != null) {
      admin.close();
    }
    if (node != null) {
      node.close();
    }
    if (anvil != null) {
      anvil.close();
    }
  }

  private Map<String, String> settling(SolanaWallet feesBy) {
    return Map.of(
        "gateway.payments.mode",
        "chain",
        "gateway.payments.pay-to",
        SELLER,
        "gateway.chain.rpc-url",
        anvil.url().toString(),
        "gateway.chain.relayer-keys",
        RELAYER_KEY,
        "gateway.solana.pay-to",
        seller.address().toString(),
        "gateway.solana.fee-payer-key",
        Base58.encode(feesBy.keypair()),
        "gateway.solana.rpc-url",
        node.url().toString(),
        "gateway.facilitator.serve",
        "true");
  }

  @Test
  @Tag("spec:operator.wallets")
  void whatManagedWalletsHaveOnBothChainsIsShownToTheirOwnerAndTheOperator() {
    JsonNode issued = admin.key("{\"name\":\"purse\"}");
    String evm = wallet(issued, "eip155:").path("address").asText();
    String base58 = wallet(issued, "solana:").path("address").asText();
    assertThat(wallet(issued, "solana:").path("balance").asText()).isEqualTo("0.000000");

    coin.mint(evm, 2 * DOLLAR);
    node.tokens(base58, 3 * DOLLAR);

    assertThat(wallet(issued, "eip155:").path("balance").asText()).isEqualTo("2.000000");
    assertThat(wallet(issued, "solana:").path("balance").asText()).isEqualTo("3.000000");
    assertThat(admin.get("wallets?limit=100").path("data").findValuesAsText("balance"))
        .contains("2.000000", "3.000000");
  }

  @Test
  @Tag("spec:decision.api_key_calls")
  void aKeyWhoseEvmWalletIsShortPaysOnTheOtherChainAndFirstOnEvmOnceThatCan() {
    JsonNode issued = admin.key("{\"name\":\"caller\"}");
    String secret = issued.path("secret").asText();
    assertThat(call(secret).statusCode()).isEqualTo(402);
    String purse = node.tokens(wallet(issued, "solana:").path("address").asText(), DOLLAR);
    long before = node.held(earned);

    HttpResponse<String> answer = call(secret);

    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    String transaction = receipt(answer);
    assertThat(node.call("getTransaction", transaction).at("/meta/err").isNull()).isTrue();
    long price = DOLLAR - node.held(purse);
    assertThat(price).isPositive();
    assertThat(node.held(earned)).isEqualTo(before + price);

    coin.mint(wallet(issued, "eip155:").path("address").asText(), DOLLAR);
    String onEvm = receipt(call(secret));
    assertThat(anvil.receipt(onEvm).path("status").asText()).isEqualTo("0x1");
    assertThat(node.held(purse)).isEqualTo(DOLLAR - price);
  }

  private HttpResponse<String> call(String secret) {
    return admin.send("GET", READ, secret, null);
  }

  private static String receipt(HttpResponse<String> answer) {
    return answer.headers().firstValue("X-PAYMENT-RECEIPT").orElseThrow();
  }

  /** One of a key's wallets as its owner sees it now. */
  private JsonNode wallet(JsonNode issued, String namespace) {
    JsonNode shown =
        Admin.ok(admin.send("GET", "/v1/wallet", issued.path("secret").asText(), null));
    for (JsonNode wallet : shown.path("wallets")) {
      if (wallet.path("network").asText().startsWith(namespace)) {
        return wallet;
      }
    }
    throw new AssertionError("no wallet on " + namespace + " in " + shown);
  }

  /** The facilitator is another gateway; the payer is the published client. */
  @Test
  @Tag("spec:x402.base58.settle")
  @Tag("spec:payment.rule.1")
  void aRemoteFacilitatorsFeePayerIsOfferedPaidThroughAndGoneWithIt() {
    SolanaWallet theirs = SolanaWallet.generate();
    node.lamports(theirs.address().toString(), LAMPORTS);
    try (GatewayHost facilitator = new GatewayHost(settling(theirs));
        GatewayHost shop = new GatewayHost(paidThrough(facilitator))) {
      String offered = "\"feePayer\":\"" + theirs.address() + "\"";
      await().until(() -> shop.http().get(READ).body().contains(offered));
      assertThat(shop.http().get(READ).body()).contains("eip155:");
      long before = node.held(earned);

      JsonNode paid = pay(shop);

      assertThat(paid.path("status").asInt()).as(paid.toString()).isEqualTo(200);
      String transaction = paid.at("/receipt/transaction").asText();
      assertThat(node.call("getTransaction", transaction).at("/meta/err").isNull()).isTrue();
      assertThat(node.held(earned)).isGreaterThan(before);

      node.lamports(theirs.address().toString(), 0);
      assertThat(pay(shop).path("status").asInt()).isEqualTo(503);
      await().until(() -> !shop.http().get(READ).body().contains("solana:"));
      assertThat(shop.http().get(READ).body()).contains("eip155:");
    }
  }

  private JsonNode pay(GatewayHost shop) {
    SolanaWallet payer = SolanaWallet.generate();
    node.tokens(payer.address().toString(), DOLLAR);
    return node.pay(shop.http().base().resolve(READ), payer.keypair());
  }

  private Map<String, String> paidThrough(GatewayHost facilitator) {
    return Map.of(
        "gateway.payments.mode",
        "remote",
        "gateway.payments.pay-to",
        SELLER,
        "gateway.solana.pay-to",
        seller.address().toString(),
        "gateway.facilitator.urls",
        facilitator.http().base() + "/facilitator",
        "gateway.facilitator.refresh",
        "200ms");
  }
}
