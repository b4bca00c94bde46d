package dev.octroi.payments.jaxrs;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.octroi.payments.Usd;
import dev.octroi.payments.client.PaidAnswer;
import dev.octroi.payments.client.PayingClient;
import dev.octroi.payments.client.SolanaSigner;
import dev.octroi.payments.client.SpendingLimit;
import dev.octroi.payments.setup.Payments;
import dev.octroi.payments.solana.SolanaFacilitator;
import dev.octroi.payments.solana.SolanaRpc;
import dev.octroi.payments.solana.SolanaSettings;
import dev.octroi.payments.solana.SolanaToken;
import dev.octroi.payments.solana.SolanaTransactions;
import dev.octroi.payments.solana.SolanaWallet;
import dev.octroi.testchain.SolanaNode;
import jakarta.ws.rs.ext.RuntimeDelegate;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.glassfish.jersey.server.ResourceConfig;
import org.glassfish.jersey.server.internal.RuntimeDelegateImpl;
import org.glassfish.jersey.servlet.ServletContainer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Payers of Solana, the published client among them, at a shop that settles itself. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SolanaMoneyTest {

  private static final Clock CLOCK = Clock.systemUTC();
  private static final SolanaToken TOKEN = SolanaToken.MAINNET_USDC;
  private static final long MILLION = 1_000_000;
  private static final long PRICE = 9_500;

  private final TestMoney money = new TestMoney();
  private final Shop shop = new Shop();
  private final SolanaWallet feePayer = SolanaWallet.generate();
  private final SolanaWallet seller = SolanaWallet.generate();
  private SolanaWallet payer;
  private String paid;
  private String bought;
  private SolanaNode node;
  private SolanaRpc rpc;
  private Payments payments;
  private JettyHost host;

  @BeforeAll
  void openTheShop() throws Exception {
    node = SolanaNode.start();
    node.lamports(feePayer.address().toString(), 1_000 * MILLION);
    bought = node.tokens(seller.address().toString(), 0);
    rpc =
        new SolanaRpc(
            HttpClient.newHttpClient(),
            List.of(node.url()),
            TOKEN.network(),
            Duration.ofSeconds(2));
    RuntimeDelegate.setInstance(new RuntimeDelegateImpl());
    Payments.Builder builder =
        Payments.builder().ledger(money.ledger()).facilitator(facilitator()).clock(CLOCK);
    money.facilitators().forEach(builder::facilitator);
    TestMoney.options().forEach(builder::accept);
    payments = builder.accept(TOKEN.payableTo(seller.address(), 60)).build();
    ShopApplication application = new ShopApplication(shop, payments);
    host =
        JettyHost.start(
            context -> new ServletContainer(ResourceConfig.forApplication(application)));
  }

  private SolanaFacilitator facilitator() {
    return new SolanaFacilitator(
        TOKEN.network(),
        feePayer,
        100_000,
        rpc,
        new SolanaTransactions(money.database(), TOKEN.network(), CLOCK),
        new SolanaSettings(
            SolanaSettings.Finality.CONFIRMED,
            Duration.ofSeconds(1),
            Duration.ofMillis(200),
            Duration.ofMillis(20)),
        CLOCK);
  }

  @AfterAll
  void closeTheShop() throws Exception {
    if (host != null) {
      host.stop();
      payments.close();
    }
    money.close();
    if (node != null) {
      node.close();
    }
    RuntimeDelegate.setInstance(null);
  }

  @BeforeEach
  void aNewPayer() {
    payer = SolanaWallet.generate();
    paid = node.tokens(payer.address().toString(), MILLION);
    shop.runs.set(0);
  }

  @Test
  @Tag("spec:x402.client.typescript")
  @Tag("spec:x402.base58.settle")
  void thePublishedClientPays() {
    long before = node.held(bought);

    JsonNode answer = node.pay(host.base().resolve("read"), payer.keypair());

    assertThat(answer.path("status").asInt()).as(answer.toString()).isEqualTo(200);
    assertThat(answer.path("body").asText()).contains("42.0");
    assertThat(answer.path("receipt").path("success").asBoolean()).isTrue();
    assertThat(answer.path("receipt").path("network").asText()).isEqualTo(TOKEN.network());
    assertThat(answer.path("receipt").path("payer").asText()).isEqualTo(payer.address().toString());
    assertThat(node.held(bought)).isEqualTo(before + PRICE);
    assertThat(node.held(paid)).isEqualTo(MILLION - PRICE);
    assertThat(shop.runs).hasValue(1);
  }

  @Test
  @Tag("spec:x402.base58.settle")
  void ourOwnClientPays() throws Exception {
    PaidAnswer answer = client().send(read().build());

    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.receipt()).isNotNull();
    String transaction = answer.receipt().transaction();
    assertThat(node.call("getTransaction", transaction).path("meta").path("err").isNull()).isTrue();
    assertThat(node.held(paid)).isEqualTo(MILLION - PRICE);
  }

  @Test
  @Tag("spec:payment.state.claimed")
  void onePaymentSentFiftyTimesIsChargedOnce() throws Exception {
    PaidAnswer quoted = client().quote(read().build());
    String payment =
        new SolanaSigner(payer, rpc).sign(quoted.quote().challenge(), quoted.quote().terms());
    ExecutorService threads = Executors.newFixedThreadPool(10);
    List<Future<Integer>> answers = new ArrayList<>();
    try {
      for (int i = 0; i < 50; i++) {
        answers.add(threads.submit(() -> send(payment)));
      }
      List<Integer> statuses = new ArrayList<>();
      for (Future<Integer> answer : answers) {
        statuses.add(answer.get());
      }
      assertThat(statuses).contains(200).isSubsetOf(200, 402, 409);
      assertThat(node.held(paid)).isEqualTo(MILLION - PRICE);
      assertThat(shop.runs).hasValue(1);
    } finally {
      threads.shutdownNow();
    }
  }

  @Test
  @Tag("spec:x402.uncertain.1")
  void whileNobodySeesTheOutcomeThePayerIsToldToWaitAndNeverToPayAgain() throws Exception {
    PaidAnswer quoted = client().quote(read().build());
    String payment =
        new SolanaSigner(payer, rpc).sign(quoted.quote().challenge(), quoted.quote().terms());
    node.ill("getSignatureStatuses", "blind");
    try {
      assertThat(send(payment)).isEqualTo(503);
      assertThat(send(payment)).isEqualTo(503);
    } finally {
      node.ill("getSignatureStatuses", "");
    }
    assertThat(node.held(paid)).isEqualTo(MILLION - PRICE);
    assertThat(shop.runs).hasValue(1);
  }

  @Test
  @Tag("spec:money.8")
  void aPayerWhoCannotCoverTheCallIsRefusedAndNothingRuns() throws Exception {
    node.tokens(payer.address().toString(), PRICE - 1);

    PaidAnswer answer = client().send(read().build());

    assertThat(answer.status()).isEqualTo(402);
    assertThat(answer.refusal()).isEqualTo("insufficient_funds");
    assertThat(shop.runs).hasValue(0);
  }

  @Test
  @Tag("spec:x402.accepts")
  void theEvmOffersStandFirst() throws Exception {
    PaidAnswer answer = client().quote(read().build());

    assertThat(answer.quote().challenge().accepts())
        .extracting(offer -> offer.network().substring(0, 6))
        .containsExactly("eip155", "eip155", "solana");
    assertThat(answer.quote().terms().extra())
        .isEqualTo(Map.of("feePayer", feePayer.address().toString()));
    assertThat(new String(answer.body(), StandardCharsets.UTF_8)).contains("payment_required");
  }

  private HttpRequest.Builder read() {
    return HttpRequest.newBuilder(host.base().resolve("read"));
  }

  private int send(String payment) throws Exception {
    HttpRequest request = read().header("PAYMENT-SIGNATURE", payment).build();
    return HttpClient.newHttpClient().send(request, BodyHandlers.discarding()).statusCode();
  }

  private PayingClient client() {
    return new PayingClient(
        HttpClient.newHttpClient(), new SolanaSigner(payer, rpc), SpendingLimit.of(Usd.parse("1")));
  }
}
