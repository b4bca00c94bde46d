package dev.octroi.payments.solana;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.octroi.payments.facilitator.Evidence;
import dev.octroi.payments.facilitator.Facilitator.Balances;
import dev.octroi.payments.facilitator.PaymentKey;
import dev.octroi.payments.facilitator.Settlement;
import dev.octroi.payments.facilitator.UnresolvedPayments.UnresolvedPayment;
import dev.octroi.payments.facilitator.Verification;
import dev.octroi.payments.solana.SolanaFacilitator.SolanaUnavailable;
import dev.octroi.payments.x402.PaymentPayload;
import dev.octroi.payments.x402.PaymentRequirements;
import dev.octroi.testchain.SolanaNode;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** On the chain's own virtual machine. */
@Tag("spec:x402.base58.settle")
class SolanaFacilitatorTest {

  private static final long MILLION = 1_000_000;
  private static final SolanaWallet PAYER = Examples.PAYER;

  private static final SolanaSettings QUICK =
      new SolanaSettings(
          SolanaSettings.Finality.CONFIRMED,
          Duration.ofSeconds(3),
          Duration.ofMillis(100),
          Duration.ofMillis(20));

  private final PaymentRequirements terms = Examples.terms();
  private final DataSource database = MemoryDatabase.empty();
  private final List<SolanaFacilitator> facilitators = new ArrayList<>();
  private SolanaNode node;
  private String bought;
  private String paid;
  private SolanaFacilitator facilitator;

  @BeforeEach
  void start() {
    node = SolanaNode.start();
    node.lamports(Examples.FEE_PAYER.address().toString(), 1_000 * MILLION);
    paid = node.tokens(PAYER.address().toString(), MILLION);
    bought = node.tokens(Examples.SELLER.address().toString(), 0);
    facilitator = facilitator(QUICK);
  }

  @AfterEach
  void stop() {
    facilitators.forEach(SolanaFacilitator::close);
    if (node != null) {
      node.close();
    }
  }

  @Test
  void aVerifiedPaymentMovesTheMoney() {
    PaymentPayload payment = payment();

    assertThat(facilitator.verify(payment, terms))
        .isInstanceOfSatisfying(
            Verification.Valid.class, valid -> assertThat(valid.spendable()).hasValue(MILLION));
    assertThat(node.landed()).isZero();

    Settlement outcome = facilitator.settle(payment, terms);

    assertThat(outcome).isInstanceOf(Settlement.Settled.class);
    assertThat(node.held(bought)).isEqualTo(Examples.AMOUNT);
    assertThat(node.held(paid)).isEqualTo(MILLION - Examples.AMOUNT);
  }

  @Test
  @Tag("spec:x402.base58.settle")
  void aSecondSettlementOfAMessageIsADuplicate() {
    PaymentPayload payment = payment();
    facilitator.settle(payment, terms);

    assertThat(facilitator.settle(payment, terms))
        .isEqualTo(new Settlement.Refused("duplicate_settlement"));
    assertThat(facilitator.verify(payment, terms))
        .isInstanceOfSatisfying(
            Verification.Late.class,
            late -> assertThat(late.reason()).isEqualTo("duplicate_settlement"));
    assertThat(node.landed()).isOne();
  }

  @Test
  @Tag("spec:x402.base58.settle")
  void ofManySettlementsOnTwoNodesOneMovesTheMoney() throws Exception {
    SolanaFacilitator other = facilitator(QUICK);
    PaymentPayload payment = payment();
    ExecutorService threads = Executors.newFixedThreadPool(10);
    List<Future<Settlement>> outcomes = new ArrayList<>();
    try {
      for (int i = 0; i < 20; i++) {
        SolanaFacilitator one = i % 2 == 0 ? facilitator : other;
        outcomes.add(threads.submit(() -> one.settle(payment, terms)));
      }
      int settled = 0;
      for (Future<Settlement> outcome : outcomes) {
        settled += outcome.get() instanceof Settlement.Settled ? 1 : 0;
      }
      assertThat(settled).isOne();
      assertThat(node.held(bought)).isEqualTo(Examples.AMOUNT);
    } finally {
      threads.shutdownNow();
    }
  }

  @Test
  void whatAnOwnerHoldsIsAsked() {
    Balances balances = facilitator.balances(Examples.USDC.network()).orElseThrow();

    assertThat(balances.of(terms.asset(), PAYER.address().toString())).hasValue(MILLION);
    assertThat(balances.of(terms.asset(), Examples.STRANGER.address().toString())).hasValue(0);
    node.ill("getMultipleAccounts", "error");
    assertThat(balances.of(terms.asset(), PAYER.address().toString())).isEmpty();
  }

  @Test
  void distinctPaymentsOfOneOfferAllSettle() {
    for (int i = 1; i <= 5; i++) {
      assertThat(facilitator.settle(payment(), terms)).isInstanceOf(Settlement.Settled.class);
    }
    assertThat(node.held(bought)).isEqualTo(5 * Examples.AMOUNT);
  }

  @Test
  @Tag("spec:x402.base58.simulation")
  @Tag("spec:error.x402.missing_token_account")
  @Tag("spec:payment.rule.3")
  void whyASimulationFailsIsTold() {
    PaymentPayload poor = payment(Examples.STRANGER);
    assertThat(reason(poor)).isEqualTo("invalid_exact_svm_payer_token_account_missing");

    node.tokens(Examples.STRANGER.address().toString(), Examples.AMOUNT - 1);
    assertThat(reason(poor)).isEqualTo("insufficient_funds");
  }

  @Test
  void aSellerWithoutAnAccountIsToldApart() {
    PaymentRequirements elsewhere =
        new PaymentRequirements(
            terms.scheme(),
            terms.network(),
            terms.amount(),
            terms.asset(),
            Examples.STRANGER.address().toString(),
            60,
            terms.extra());
    PaymentPayload payment = payment(PAYER, elsewhere);

    assertThat(((Verification.Invalid) facilitator.verify(payment, elsewhere)).reason())
        .isEqualTo("invalid_exact_svm_recipient_token_account_missing");
  }

  @Test
  void anOldBlockhashIsLate() {
    PaymentPayload payment = payment();
    node.blocks(151);

    assertThat(facilitator.verify(payment, terms)).isInstanceOf(Verification.Late.class);
    assertThat(facilitator.settle(payment, terms)).isInstanceOf(Settlement.Refused.class);
    assertThat(node.landed()).isZero();
  }

  @Test
  void aPayerWhoSpendsTheMoneyMeanwhileIsRefusedForCertain() {
    PaymentPayload payment = payment();
    assertThat(facilitator.verify(payment, terms)).isInstanceOf(Verification.Valid.class);
    node.tokens(PAYER.address().toString(), 1);

    assertThat(facilitator.settle(payment, terms)).isInstanceOf(Settlement.Refused.class);
    assertThat(node.landed()).isZero();
  }

  @Test
  void whileTheFeePayerIsEmptyNothingIsOffered() {
    SolanaWallet empty = SolanaWallet.generate();
    SolanaFacilitator poor = facilitator(QUICK, empty);
    PaymentRequirements offer =
        Examples.terms(poor.offerExtra(Examples.USDC.network()).orElseThrow());
    PaymentPayload payment = payment(PAYER, offer);

    assertThat(poor.settle(payment, offer)).isInstanceOf(Settlement.Unsent.class);
    assertThat(poor.offerExtra(Examples.USDC.network())).isEmpty();
    assertThatThrownBy(() -> poor.verify(payment, offer)).isInstanceOf(SolanaUnavailable.class);

    node.lamports(empty.address().toString(), MILLION);
    assertThat(poor.settle(payment, offer)).isInstanceOf(Settlement.Settled.class);
  }

  @Test
  void aTransactionWhoseSendingIsNotAnsweredSettlesAndIsNotSentToTheNextNode() {
    SolanaFacilitator twice = facilitator(QUICK, rpc(List.of(node.url(), node.url())));
    node.ill("sendTransaction", "hang");

    assertThat(twice.settle(payment(), terms)).isInstanceOf(Settlement.Settled.class);
    assertThat(node.landed()).isOne();
    assertThat(node.call("test_sent").intValue()).isOne();
  }

  @Test
  void whereOneNodeIsDownTheNextIsAsked() {
    SolanaFacilitator two =
        facilitator(QUICK, rpc(List.of(URI.create("http://127.0.0.1:1"), node.url())));
    PaymentPayload payment = payment();

    assertThat(two.verify(payment, terms)).isInstanceOf(Verification.Valid.class);
    assertThat(two.settle(payment, terms)).isInstanceOf(Settlement.Settled.class);
    assertThat(node.landed()).isOne();
  }

  @Test
  @Tag("spec:x402.uncertain.3")
  void whatOneNodeCannotTellIsNotProvenByAnotherThatIsBehind() {
    node.ill("getSignatureStatuses", "blind");
    UnresolvedPayment unresolved = leftInDoubt();
    node.blocks(150 + 32 + 40);
    node.ill("getSignatureStatuses", "error");
    try (SolanaNode behind = SolanaNode.start()) {
      SolanaFacilitator two = facilitator(QUICK, rpc(List.of(node.url(), behind.url())));

      assertThat(evidence(two).of(unresolved)).isEmpty();
      assertThat(evidence(two).of(unresolved)).isEmpty();
    }
    node.ill("getSignatureStatuses", "");
    assertThat(evidence(facilitator).of(unresolved)).containsInstanceOf(Settlement.Settled.class);
  }

  @Test
  void aLostTransactionIsSentAgain() {
    node.ill("sendTransaction", "lose");
    PaymentPayload payment = payment();
    CompletableFuture<Settlement> outcome =
        CompletableFuture.supplyAsync(() -> facilitator.settle(payment, terms));
    await().until(() -> node.call("test_sent").intValue() > 1);
    node.ill("sendTransaction", "");

    assertThat(outcome.join()).isInstanceOf(Settlement.Settled.class);
    assertThat(node.landed()).isOne();
  }

  @Test
  @Tag("spec:x402.uncertain.3")
  void anOutcomeThatNoNodeSeesIsUnknownUntilTheChainShowsIt() {
    node.ill("getSignatureStatuses", "blind");
    PaymentPayload payment = payment();
    SolanaFacilitator impatient = impatient();

    Settlement outcome = impatient.settle(payment, terms);

    assertThat(outcome).isInstanceOf(Settlement.Unknown.class);
    String id = ((Settlement.Unknown) outcome).transaction();
    assertThat(id).isNotNull();
    assertThat(evidence(impatient).of(unresolved(payment, id))).isEmpty();
    node.ill("getSignatureStatuses", "");
    assertThat(evidence(facilitator).of(unresolved(payment, id)))
        .contains(new Settlement.Settled(id));
    assertThat(
            SolanaEvidence.ofOthers(rpc(), SolanaSettings.Finality.FINALIZED)
                .of(unresolved(payment, id)))
        .isEmpty();
    node.blocks(40);
    assertThat(
            SolanaEvidence.ofOthers(rpc(), SolanaSettings.Finality.FINALIZED)
                .of(unresolved(payment, id)))
        .contains(new Settlement.Settled(id));
    assertThat(
            SolanaEvidence.ofOthers(rpc(), SolanaSettings.Finality.FINALIZED)
                .of(unresolved(payment, null)))
        .isEmpty();
  }

  /** Its name may be given to another machine between two questions. */
  @Test
  @Tag("spec:money.5")
  void aNodeThatHasBecomeOneOfAnotherChainProvesNothing() {
    node.ill("sendTransaction", "lose");
    UnresolvedPayment unresolved = leftInDoubt();
    node.blocks(150 + 32 + 40);

    node.ill("getGenesisHash", "other");
    assertThat(evidence(facilitator).of(unresolved)).isEmpty();

    node.ill("getGenesisHash", "");
    assertThat(evidence(facilitator).of(unresolved))
        .contains(new Settlement.Refused("transaction_expired"));
  }

  /** As after a start from a snapshot, or where old blocks are deleted. */
  @Test
  @Tag("spec:money.5")
  void aNodeThatLacksBlocksProvesNothing() {
    node.ill("getSignatureStatuses", "blind");
    UnresolvedPayment unresolved = leftInDoubt();
    node.ill("getSignatureStatuses", "");
    node.blocks(10_000);

    for (long[] lacking : new long[][] {{0, 1_100}, {1_001, 1_002}, {900, 10_900}}) {
      node.lack(lacking[0], lacking[1]);
      assertThat(evidence(facilitator).of(unresolved)).isEmpty();
    }
    node.lack(0, 0);
    assertThat(evidence(facilitator).of(unresolved)).containsInstanceOf(Settlement.Settled.class);
  }

  /** A balancer may ask one node for the height and another one for the state. */
  @Test
  @Tag("spec:money.5")
  void aStateOfBeforeTheFinalBlockProvesNothing() {
    node.ill("getSignatureStatuses", "behind");
    UnresolvedPayment unresolved = leftInDoubt();
    node.blocks(150 + 32 + 40);

    assertThat(evidence(facilitator).of(unresolved)).isEmpty();

    node.ill("getSignatureStatuses", "");
    assertThat(evidence(facilitator).of(unresolved)).containsInstanceOf(Settlement.Settled.class);
  }

  /** A node that is behind tells an earlier height as the last for a transaction. */
  @Test
  @Tag("spec:money.5")
  void aTransactionWhoseBlockhashIsGoodHasNotExpired() throws Exception {
    node.blocks(500);
    PaymentPayload payment = payment();
    SolanaTransaction signed = read(payment).signedBy(Examples.FEE_PAYER);
    try (SolanaTransactions store = store()) {
      store.store(signed, rpc().latest().lastValidHeight() - 100);
    }
    node.ill("sendTransaction", "lose");

    node.blocks(32 + 32 + 55);
    assertThat(evidence(facilitator).of(unresolved(payment, null))).isEmpty();
    node.blocks(100);
    assertThat(evidence(facilitator).of(unresolved(payment, null)))
        .contains(new Settlement.Refused("transaction_expired"));
  }

  /** A facilitator that has settled one payment names its transaction for another one as well. */
  @Test
  @Tag("spec:money.5")
  void aTransactionOfAnotherPaymentProvesNothing() {
    PaymentPayload other = payment();
    Settlement.Settled settled = (Settlement.Settled) facilitator.settle(other, terms);
    node.blocks(40);
    Evidence told = SolanaEvidence.ofOthers(rpc(), SolanaSettings.Finality.FINALIZED);

    assertThat(told.of(unresolved(payment(), settled.transaction()))).isEmpty();
    assertThat(told.transfer(unresolved(payment(), settled.transaction()))).isEmpty();
    assertThat(told.of(unresolved(other, settled.transaction()))).contains(settled);
  }

  @Test
  @Tag("spec:x402.uncertain.3")
  void aTransactionThatNeverLandsFailsOnlyOnceAFinalBlockIsPastIt() {
    node.ill("sendTransaction", "lose");
    UnresolvedPayment unresolved = leftInDoubt();

    node.blocks(150 + 32);
    assertThat(evidence(facilitator).of(unresolved)).isEmpty();
    node.blocks(40);
    assertThat(evidence(facilitator).of(unresolved))
        .contains(new Settlement.Refused("transaction_expired"));
    node.ill("sendTransaction", "");
    assertThat(evidence(facilitator).of(unresolved))
        .contains(new Settlement.Refused("transaction_expired"));
    assertThat(node.landed()).isZero();
  }

  @Test
  @Tag("spec:x402.uncertain.2")
  void aTransactionThatWasStoredAndNotSentIsSentByTheNodeThatLooksForIt() throws Exception {
    PaymentPayload payment = payment();
    SolanaTransaction signed = read(payment).signedBy(Examples.FEE_PAYER);
    try (SolanaTransactions store = store()) {
      store.store(signed, rpc().latest().lastValidHeight());
    }

    assertThat(evidence(facilitator).of(unresolved(payment, null))).isEmpty();
    assertThat(evidence(facilitator).of(unresolved(payment, null)))
        .contains(new Settlement.Settled(signed.id()));
    assertThat(node.held(bought)).isEqualTo(Examples.AMOUNT);
  }

  @Test
  @Tag("spec:x402.uncertain.2")
  void whatWasNeverStoredIsNeverSentEvenByANodeThatWakesUpLater() {
    PaymentPayload payment = payment();

    assertThat(evidence(facilitator).of(unresolved(payment, null)))
        .contains(new Settlement.Refused("never_sent"));
    assertThat(facilitator.settle(payment, terms))
        .isEqualTo(new Settlement.Refused("duplicate_settlement"));
    assertThat(node.landed()).isZero();
  }

  @Test
  void whatCouldNotBeBegunIsUnsentAndMayBeSentAgain() {
    PaymentPayload payment = payment();
    for (String ill : new String[] {"error", "rubbish", "reset"}) {
      node.ill("getLatestBlockhash", ill);
      assertThat(facilitator.settle(payment, terms)).isInstanceOf(Settlement.Unsent.class);
    }
    node.ill("getLatestBlockhash", "");

    assertThat(facilitator.settle(payment, terms)).isInstanceOf(Settlement.Settled.class);
  }

  @Test
  void aNodeThatCannotBeAskedVerifiesNothing() {
    PaymentPayload payment = payment();
    for (String ill : new String[] {"error", "rubbish", "reset"}) {
      node.ill("simulateTransaction", ill);
      assertThatThrownBy(() -> facilitator.verify(payment, terms))
          .isInstanceOf(SolanaUnavailable.class)
          .message()
          .doesNotContain(String.valueOf(node.url().getPort()), "node-7");
    }
  }

  @Test
  void aNodeOfAnotherChainIsNotBelieved() {
    SolanaRpc wrong = rpc(List.of(node.url()), SolanaToken.DEVNET_USDC.network());

    assertThatThrownBy(wrong::recent)
        .isInstanceOf(IOException.class)
        .hasMessageContaining("not of");
  }

  @Test
  void aBrokenRuleIsRefusedBeforeAnythingIsStored() {
    PaymentPayload payment = payment();
    PaymentRequirements dearer =
        new PaymentRequirements(
            terms.scheme(),
            terms.network(),
            "1001",
            terms.asset(),
            terms.payTo(),
            60,
            terms.extra());

    assertThat(facilitator.settle(payment, dearer))
        .isEqualTo(new Settlement.Refused("invalid_exact_svm_payload_amount_mismatch"));
    assertThat(facilitator.settle(payment, terms)).isInstanceOf(Settlement.Settled.class);
  }

  private static Evidence evidence(SolanaFacilitator of) {
    return of.evidence(Examples.USDC.network()).orElseThrow();
  }

  private String reason(PaymentPayload payment) {
    return ((Verification.Invalid) facilitator.verify(payment, terms)).reason();
  }

  private PaymentPayload payment() {
    return payment(PAYER);
  }

  private PaymentPayload payment(SolanaWallet payer) {
    return payment(payer, terms);
  }

  private PaymentPayload payment(SolanaWallet payer, PaymentRequirements offer) {
    try {
      return Examples.payment(
          (String) PaymentTransfer.of(offer).sign(payer, rpc().recent()).get("transaction"));
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private static SolanaTransaction read(PaymentPayload payment) {
    return SolanaTransaction.readBase64(payment.payload().path("transaction").textValue());
  }

  private UnresolvedPayment leftInDoubt() {
    PaymentPayload payment = payment();
    Settlement.Unknown unknown = (Settlement.Unknown) impatient().settle(payment, terms);
    return unresolved(payment, unknown.transaction());
  }

  private UnresolvedPayment unresolved(PaymentPayload payment, String transaction) {
    Instant now = Instant.now();
    PaymentKey key =
        new PaymentKey(
            Examples.USDC.network(), PAYER.address().toString(), read(payment).messageHash());
    return new UnresolvedPayment(
        UUID.randomUUID(),
        1,
        key,
        terms.asset(),
        terms.payTo(),
        Examples.AMOUNT,
        now,
        now,
        transaction,
        false);
  }

  private SolanaFacilitator impatient() {
    return facilitator(
        new SolanaSettings(QUICK.finality(), Duration.ofMillis(300), QUICK.resend(), QUICK.poll()));
  }

  private SolanaFacilitator facilitator(SolanaSettings settings) {
    return facilitator(settings, Examples.FEE_PAYER);
  }

  private SolanaFacilitator facilitator(SolanaSettings settings, SolanaWallet feePayer) {
    return facilitator(settings, feePayer, rpc());
  }

  private SolanaFacilitator facilitator(SolanaSettings settings, SolanaRpc through) {
    return facilitator(settings, Examples.FEE_PAYER, through);
  }

  private SolanaFacilitator facilitator(
      SolanaSettings settings, SolanaWallet feePayer, SolanaRpc through) {
    SolanaFacilitator made =
        new SolanaFacilitator(
            Examples.USDC.network(),
            feePayer,
            100_000,
            through,
            store(),
            settings,
            Clock.systemUTC());
    facilitators.add(made);
    return made;
  }

  private SolanaTransactions store() {
    return new SolanaTransactions(database, Examples.USDC.network(), Clock.systemUTC());
  }

  private SolanaRpc rpc() {
    return rpc(List.of(node.url()));
  }

  private static SolanaRpc rpc(List<URI> urls) {
    return rpc(urls, Examples.USDC.network());
  }

  private static SolanaRpc rpc(List<URI> urls, String network) {
    return new SolanaRpc(HttpClient.newHttpClient(), urls, network, Duration.ofSeconds(2));
  }
}
