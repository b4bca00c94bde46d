package dev.octroi.payments.ledger.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.octroi.payments.PaymentUse;
import dev.octroi.payments.facilitator.Settlement;
import dev.octroi.payments.ledger.Claim;
import dev.octroi.payments.ledger.ClaimResult;
import dev.octroi.payments.ledger.ClaimResult.Claimed;
import dev.octroi.payments.ledger.ClaimResult.IdentifierTaken;
import dev.octroi.payments.ledger.ClaimResult.InFlight;
import dev.octroi.payments.ledger.Identifiers.IdentifierUse;
import dev.octroi.payments.ledger.Ledger;
import dev.octroi.payments.ledger.LedgerSettings.ReplayLimits;
import dev.octroi.payments.ledger.jdbc.FlakyDatabase.NextCommit;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a payer's identifier of a payment stands for, on any node, and for how long. */
abstract class IdentifierContract extends LedgerContract {

  private static final String ID = "pay_7d5d747be160e280";

  IdentifierContract(TestDatabase kind) {
    super(kind);
  }

  @Test
  @Tag("spec:x402.identifier.same")
  void aPaidAnswerIsHadByItsIdentifierOnAnyNodeAlsoAfterDelivery() {
    Sample sample = Sample.fresh();
    Claim claim = identified(sample);
    ledger.settleHere(claim, Sample.ANSWER);
    ledger.delivered(claim);
    Ledger other = node("b");

    IdentifierUse use = use(other, sample);

    assertThat(use.isPaid()).isTrue();
    assertThat(use.payment()).isEqualTo(claim.id());
    assertThat(use.bindingHash()).isEqualTo(sample.binding().hash());
    assertThat(use.transaction()).isEqualTo("sandbox:" + claim.id());
    assertThat(other.identifiers().answer(claim.id()))
        .hasValueSatisfying(kept -> assertThat(kept.body()).isEqualTo(Sample.ANSWER.body()));
  }

  @Test
  @Tag("spec:x402.identifier.concurrent")
  @Tag("spec:money.1")
  void ofFiftyFirstUsesByDifferentPaymentsOnTwoNodesOneWins() throws Exception {
    JdbcLedger other = node("b");
    String payer = Sample.random(20);

    List<ClaimResult> results =
        concurrently(
            50,
            i ->
                (i % 2 == 0 ? ledger : other)
                    .claim(another(payer).request().identifiedBy(Optional.of(ID))));

    assertThat(results).filteredOn(Claimed.class::isInstance).hasSize(1);
    assertThat(results)
        .allMatch(
            it -> it instanceof Claimed || it instanceof IdentifierTaken || it instanceof InFlight);
    assertThat(count("payment")).isEqualTo(1);
    assertThat(count("payment_identifier")).isEqualTo(1);
    assertBooksAgree();
  }

  @Test
  @Tag("spec:x402.identifier.other")
  void anIdentifierStandsForItsFirstPaymentAndRequest() {
    Sample sample = Sample.fresh();
    Claim claim = identified(sample);
    ledger.release(claim);

    assertThat(ask(another(sample.payer()))).isInstanceOf(IdentifierTaken.class);
    assertThat(ask(sample.withBinding(ELSEWHERE))).isInstanceOf(IdentifierTaken.class);
    assertThat(ask(sample.withEnvelope("22".repeat(32)))).isInstanceOf(IdentifierTaken.class);
    assertThat(ask(Sample.fresh())).as("another payer's").isInstanceOf(Claimed.class);
    assertThat(ask(sample)).as("the same again").isInstanceOf(Claimed.class);
  }

  @Test
  @Tag("spec:x402.identifier.expiry")
  void afterADayAnIdentifierIsFreeAgain() {
    Sample sample = Sample.fresh();
    ledger.settleHere(identified(sample), Sample.ANSWER);
    clock.forward(Duration.ofHours(25));
    JdbcLedger later = node("b");

    assertThat(uses(later, sample)).isEmpty();
    assertThat(later.claim(Sample.fresh(sample.payer()).request().identifiedBy(Optional.of(ID))))
        .isInstanceOf(Claimed.class);
  }

  @Test
  @Tag("spec:money.retention")
  void anIdentifiedAnswerOutlivesTenMinutesAndNotADay() {
    Sample named = Sample.fresh();
    Claim claim = identified(named);
    ledger.settleHere(claim, Sample.ANSWER);
    ledger.settleHere(claimed(ledger, Sample.fresh()), Sample.ANSWER);
    clock.forward(Duration.ofMinutes(11));
    JdbcLedger keeper = busy("b", ReplayLimits.DEFAULT);

    await().until(() -> count("stored_answer") == 1);
    assertThat(keeper.identifiers().answer(claim.id())).isPresent();

    clock.forward(Duration.ofHours(24));
    busy("c", ReplayLimits.DEFAULT);
    await().until(() -> count("stored_answer") == 0 && count("payment_identifier") == 0);
  }

  @Test
  @Tag("spec:x402.identifier.bounded")
  void theOldestAnswersGoFirstWhereTooManyAreKept() {
    Sample old = Sample.fresh();
    Sample young = Sample.fresh();
    Claim first = identified(old);
    ledger.settleHere(first, Sample.ANSWER);
    clock.forward(Duration.ofMinutes(1));
    Claim second = identified(young);
    ledger.settleHere(second, Sample.ANSWER);
    clock.forward(Duration.ofMinutes(11));

    JdbcLedger keeper = busy("b", new ReplayLimits(Duration.ofHours(24), 1L << 20, 1, false));

    await().until(() -> count("stored_answer") == 1);
    assertThat(keeper.identifiers().answer(first.id())).isEmpty();
    assertThat(keeper.identifiers().answer(second.id())).isPresent();
    assertThat(use(keeper, old).isPaid()).as("it still stands for its payment").isTrue();

    busy("c", new ReplayLimits(Duration.ofHours(24), 10, 100, false));
    await().until(() -> count("stored_answer") == 0);
  }

  @Test
  @Tag("spec:money.5")
  void anAnswerOfAPaymentInDoubtStaysWhereTooManyAreKept() {
    Claim doubtful = identified(Sample.fresh().spendable(50_000));
    ledger.settling(doubtful, Sample.ANSWER);
    ledger.settled(doubtful, new Settlement.Unknown("timeout", null));
    Claim old = identified(Sample.fresh());
    ledger.settleHere(old, Sample.ANSWER);
    clock.forward(Duration.ofMinutes(1));
    ledger.settleHere(identified(Sample.fresh()), Sample.ANSWER);
    clock.forward(Duration.ofMinutes(11));

    busy("b", new ReplayLimits(Duration.ofHours(24), 1L << 20, 1, false));

    await().until(() -> answers(old) == 0);
    assertThat(answers(doubtful)).as("it may be owed yet").isEqualTo(1);
  }

  @Test
  @Tag("spec:money.8")
  void anIdentifierOfAClaimThatWasRefusedStandsForNothing() {
    Sample dear = Sample.fresh().withAmount(START + 1);

    assertThat(ask(dear)).isInstanceOf(ClaimResult.Insufficient.class);

    assertThat(count("payment_identifier")).isZero();
    assertThat(ask(Sample.fresh(dear.payer()))).isInstanceOf(Claimed.class);
  }

  @Test
  @Tag("spec:money.3")
  void anAnswerStoredAfterTheEffectIsHadAgainWhenItsNodeDies() {
    Sample sample = Sample.fresh();
    Claim claim = claimed(ledger, sample);
    assertThat(ledger.settleHere(claim, null)).isInstanceOf(Settlement.Settled.class);
    assertThat(node("b").claim(sample.request())).as("at work").isInstanceOf(InFlight.class);

    assertThat(ledger.answered(claim, Sample.ANSWER)).isTrue();
    assertThat(ledger.answered(claim, Sample.ANSWER)).as("once").isTrue();
    assertThat(count("stored_answer")).isEqualTo(1);
    expire("a");

    ClaimResult.Replay replay = (ClaimResult.Replay) node("c").claim(sample.request());
    assertThat(ledger.identifiers().answer(replay.claim().id()).orElseThrow().body())
        .isEqualTo(Sample.ANSWER.body());
    assertThat(balance(sample)).isEqualTo(START - 10_000);
  }

  @Test
  @Tag("spec:money.6")
  void aNodeThatDiesBetweenEffectAndAnswerLeavesNothingToRunAgain() {
    Sample sample = Sample.fresh();
    Claim claim = claimed(ledger, sample);
    ledger.settleHere(claim, null);
    UUID payment = claim.id();
    ledger.effects().begin(new PaymentUse(payment, ""), "number", "+1 212");
    expire("a");
    JdbcLedger other = node("b");

    assertThat(other.claim(sample.request())).isInstanceOf(ClaimResult.InDoubt.class);
    assertThat(other.effects().begin(new PaymentUse(payment, ""), "number", "+1 212").isNew())
        .isFalse();
  }

  private long answers(Claim claim) {
    return number("SELECT count(*) FROM stored_answer WHERE payment_id = '" + claim.id() + "'");
  }

  private static Sample another(String payer) {
    return Sample.fresh(payer).withEnvelope(Sample.random(32).substring(2));
  }

  private Claim identified(Sample sample) {
    return ((Claimed) ask(sample)).claim();
  }

  private ClaimResult ask(Sample sample) {
    return ledger.claim(sample.request().identifiedBy(Optional.of(ID)));
  }

  private static IdentifierUse use(Ledger ledger, Sample sample) {
    return uses(ledger, sample).get(0);
  }

  private static List<IdentifierUse> uses(Ledger ledger, Sample sample) {
    return ledger
        .identifiers()
        .uses(Sample.NETWORK, ID, sample.envelopeHash(), Optional.of(sample.payer()));
  }

  /** A node that sweeps and deletes every second. */
  private JdbcLedger busy(String name, ReplayLimits limits) {
    return node(
        name, it -> it.heartbeat(Duration.ofMillis(100), Duration.ofSeconds(1)).replays(limits));
  }

  @ParameterizedTest
  @EnumSource
  @Tag("spec:money.unknown_commit")
  void aCutLineAtTheCommitOfAFirstUseLeavesItToItsPayment(NextCommit what) {
    Sample sample = Sample.fresh();
    database.nextCommit(what);

    ledger.settleHere(identified(sample), Sample.ANSWER);

    assertThat(uses(ledger, sample)).hasSize(1);
    assertBooksAgree();
  }
}
