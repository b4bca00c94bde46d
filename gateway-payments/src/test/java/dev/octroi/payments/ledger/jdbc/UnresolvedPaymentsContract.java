package dev.octroi.payments.ledger.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.octroi.payments.facilitator.Settlement;
import dev.octroi.payments.facilitator.UnresolvedPayments;
import dev.octroi.payments.facilitator.UnresolvedPayments.UnresolvedPayment;
import dev.octroi.payments.ledger.AccountKind;
import dev.octroi.payments.ledger.Claim;
import dev.octroi.payments.ledger.ClaimResult;
import dev.octroi.payments.ledger.ClaimResult.Failed;
import dev.octroi.payments.ledger.ClaimResult.InDoubt;
import dev.octroi.payments.ledger.ClaimResult.Replay;
import dev.octroi.payments.ledger.ClaimResult.Rerun;
import dev.octroi.payments.ledger.ClaimResult.Used;
import dev.octroi.payments.ledger.DeferredSettlements;
import dev.octroi.payments.ledger.DeferredSettlements.DeferredSettlement;
import dev.octroi.payments.ledger.Ledger.PayerHistory;
import dev.octroi.payments.ledger.LedgerUnavailable;
import dev.octroi.payments.ledger.ReleaseReason;
import dev.octroi.payments.ledger.jdbc.FlakyDatabase.NextCommit;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What every database must keep of payments whose end is not known yet. */
abstract class UnresolvedPaymentsContract extends LedgerContract {

  private static final Settlement PAID = new Settlement.Settled("0xpaid");
  private static final Settlement NEVER = new Settlement.Refused("authorization_expired");

  private static Sample onChain() {
    return Sample.fresh().spendable(50_000);
  }

  private Claim settling(Sample sample) {
    Claim claim = claimed(ledger, sample);
    assertThat(ledger.settling(claim, Sample.ANSWER)).isTrue();
    return claim;
  }

  private Claim doubted(Sample sample) {
    Claim claim = settling(sample);
    assertThat(ledger.settled(claim, new Settlement.Unknown("timeout", "0xheard"))).isTrue();
    return claim;
  }

  private Claim sent(Sample sample) {
    Claim claim = settling(sample);
    assertThat(ledger.settled(claim, new Settlement.Sent("0xsent"))).isTrue();
    return claim;
  }

  private List<UnresolvedPayment> listed(UnresolvedPayments unresolved) {
    return unresolved.since(clock.instant().plusSeconds(60), 100);
  }

  private UnresolvedPayment only() {
    List<UnresolvedPayment> all = listed(ledger.unresolved());
    assertThat(all).hasSize(1);
    return all.get(0);
  }

  UnresolvedPaymentsContract(TestDatabase where) {
    super(where);
  }

  @Test
  @Tag("spec:money.5")
  void aPaymentOfWhichNothingWasSentIsFreeAgainWithItsMoneyAndItsAnswer() {
    Sample sample = onChain();
    Claim claim = settling(sample);

    assertThat(ledger.settled(claim, new Settlement.Unsent("no_relayer_has_gas"))).isTrue();

    assertThat(listed(ledger.unresolved())).isEmpty();
    assertThat(reserved(sample)).isZero();
    assertThat(count("stored_answer")).isZero();
    Claim again = claimed(ledger, sample);
    assertThat(again.attempt()).isEqualTo(claim.attempt() + 1);
    assertThat(ledger.settling(again, Sample.ANSWER)).isTrue();
    assertThat(ledger.settled(again, PAID)).isTrue();
    assertBooksAgree();
  }

  @Test
  @Tag("spec:money.5")
  void aPaymentInDoubtIsListedWithAllThatAChainMustBeAskedFor() {
    Sample sample = onChain();
    Claim claim = doubted(sample);

    UnresolvedPayment payment = only();

    assertThat(payment.id()).isEqualTo(claim.id());
    assertThat(payment.attempt()).isEqualTo(claim.attempt());
    assertThat(payment.key()).isEqualTo(sample.key());
    assertThat(payment.asset()).isEqualTo(Sample.ASSET);
    assertThat(payment.payTo()).isEqualTo(Sample.PAY_TO);
    assertThat(payment.amount()).isEqualTo(10_000);
    assertThat(payment.validBefore()).isEqualTo(sample.validBefore());
    assertThat(payment.transaction()).isEqualTo("0xheard");
    assertThat(payment.sent()).isFalse();
    assertThat(payment.since())
        .isBetween(clock.instant().minusSeconds(60), clock.instant().plusSeconds(1));
  }

  private Claim delivered(Sample sample) {
    Claim claim = claimed(ledger, sample);
    ledger.charge(claim, 4_000);
    ledger.deferredSettlements().keep(claim, "how to settle it", clock.instant().plusSeconds(30));
    assertThat(ledger.settlingDelivered(claim)).isTrue();
    return claim;
  }

  @Test
  @Tag("spec:money.3")
  void anAnswerThatHasLeftIsOwedUntilItIsPaidAndAnyNodeKnowsHowToSettleIt() {
    Sample sample = onChain();
    Claim claim = delivered(sample);

    assertThat(only().amount()).isEqualTo(4_000);
    assertThat(only().sent()).isTrue();
    assertThat(reserved(sample)).as("until it is paid").isEqualTo(10_000);
    DeferredSettlements deferred = ledger.deferredSettlements();
    assertThat(deferred.due(clock.instant(), 10)).isEmpty();
    Instant later = clock.instant().plusSeconds(31);
    assertThat(deferred.due(later, 10))
        .containsExactly(new DeferredSettlement(claim.id(), claim.attempt(), "how to settle it"));
    deferred.later(deferred.due(later, 10).get(0), later.plusSeconds(9));
    assertThat(deferred.due(later, 10)).isEmpty();
    assertThat(deferred.forget()).isZero();

    assertThat(ledger.unresolved().close(only(), PAID)).isTrue();

    assertThat(deferred.due(later.plusSeconds(60), 10)).isEmpty();
    assertThat(deferred.forget()).isEqualTo(1);
    assertThat(ledger.history(sample.key().network(), sample.key().payer()))
        .isEqualTo(new PayerHistory(true, false));
    assertThat(reserved(sample)).isZero();
    assertBooksAgree();
  }

  @Test
  @Tag("spec:money.3")
  void whatLeavesIsOwedByItsCeilingAndWhatHasLeftByItsCharge() {
    DeferredSettlements deferred = ledger.deferredSettlements();
    Claim leaving = claimed(ledger, onChain());
    JdbcLedger elsewhere = node("other");
    Claim other = claimed(elsewhere, onChain());
    deferred.leaving(leaving);
    assertThat(deferred.owed()).isEqualTo(10_000);
    elsewhere.deferredSettlements().leaving(other);
    assertThat(deferred.owed()).isEqualTo(20_000);
    assertThat(deferred.due(clock.instant().plusSeconds(60), 10)).isEmpty();

    assertThat(elsewhere.release(other, ReleaseReason.NONE)).isTrue();
    assertThat(deferred.owed()).isEqualTo(10_000);
    ledger.charge(leaving, 4_000);
    deferred.keep(leaving, "how to settle it", clock.instant());
    assertThat(ledger.settlingDelivered(leaving)).isTrue();
    assertThat(deferred.owed()).isEqualTo(4_000);

    assertThat(ledger.unresolved().close(only(), PAID)).isTrue();
    assertThat(deferred.owed()).isZero();
    assertThat(deferred.forget()).isEqualTo(2);
  }

  @Test
  @Tag("spec:money.3")
  void aPayerWhoDidNotPayForWhatItHadIsKnownUntilItHasPaid() {
    Sample sample = onChain();
    Claim claim = delivered(sample);
    assertThat(ledger.history(sample.key().network(), sample.key().payer()))
        .isEqualTo(new PayerHistory(false, false));

    assertThat(ledger.unresolved().close(only(), NEVER)).isTrue();

    assertThat(ledger.history(sample.key().network(), sample.key().payer()))
        .isEqualTo(new PayerHistory(false, true));
    DeferredSettlements deferred = ledger.deferredSettlements();
    assertThat(deferred.forget()).isZero();
    assertThat(deferred.owed()).as("lost").isEqualTo(4_000);
    clock.forward(Duration.ofHours(25));
    assertThat(deferred.owed()).isZero();
    assertThat(deferred.forget()).isEqualTo(1);
    assertBooksAgree();
    UnresolvedPayment failed = ledger.unresolved().find(claim.id()).orElseThrow();
    assertThat(ledger.unresolved().close(failed, PAID)).isTrue();
    assertThat(ledger.history(sample.key().network(), sample.key().payer()))
        .isEqualTo(new PayerHistory(true, false));
    assertBooksAgree();
  }

  @Test
  void theOldestAreListedFirstAndNoMoreThanAsked() {
    Claim first = doubted(onChain());
    clock.forward(Duration.ofMinutes(1));
    Claim second = doubted(onChain());
    clock.forward(Duration.ofMinutes(1));
    doubted(onChain());
    UnresolvedPayments unresolved = ledger.unresolved();

    assertThat(unresolved.since(clock.instant().plusSeconds(1), 2))
        .extracting(UnresolvedPayment::id)
        .containsExactly(first.id(), second.id());
    assertThat(unresolved.since(clock.instant().minusSeconds(90), 10))
        .extracting(UnresolvedPayment::id)
        .containsExactly(first.id());
  }

  @Test
  void aPaymentThatIsPutOffComesUpAgainInItsTime() {
    Claim patient = doubted(onChain());
    Claim other = doubted(onChain());
    UnresolvedPayments unresolved = ledger.unresolved();
    Instant now = clock.instant().plusSeconds(1);
    UnresolvedPayment payment = unresolved.find(patient.id()).orElseThrow();

    unresolved.later(payment, now.plusSeconds(60));

    assertThat(unresolved.due(now, 10)).extracting(UnresolvedPayment::id).containsOnly(other.id());
    assertThat(unresolved.due(now.plusSeconds(61), 10)).hasSize(2);
    assertThat(listed(unresolved)).as("it stays listed").hasSize(2);
  }

  @Test
  @Tag("spec:money.5")
  @Tag("spec:money.journal")
  void proofOfPaymentSettlesWhatWasInDoubtOnce() {
    Sample sample = onChain();
    doubted(sample);
    UnresolvedPayment payment = only();
    JdbcLedger other = node("b");

    assertThat(other.unresolved().close(payment, PAID)).isTrue();

    assertThat(ledger.unresolved().close(payment, PAID)).isFalse();
    assertThat(ledger.unresolved().close(payment, NEVER)).isFalse();
    assertThat(count("doubt")).isZero();
    assertThat(count("journal")).isEqualTo(1);
    assertThat(reserved(sample)).isZero();
    Replay replay = (Replay) ledger.claim(sample.request());
    assertThat(replay.transaction()).isEqualTo("0xpaid");
    assertBooksAgree();
  }

  @Test
  @Tag("spec:money.5")
  @Tag("spec:payment.state.failed")
  void proofThatNothingMovedFailsWhatWasInDoubt() {
    Sample sample = onChain();
    doubted(sample);

    assertThat(ledger.unresolved().close(only(), NEVER)).isTrue();

    assertThat(ledger.claim(sample.request())).isEqualTo(new Failed("authorization_expired"));
    assertThat(count("doubt")).isZero();
    assertThat(count("journal")).isZero();
    assertThat(reserved(sample)).isZero();
  }

  @Test
  @Tag("spec:x402.uncertain.5")
  void aFailureIsOverturnedByProofOfPaymentAndByNothingElse() {
    Sample sample = onChain();
    Claim claim = doubted(sample);
    UnresolvedPayment payment = only();
    ledger.unresolved().close(payment, NEVER);

    assertThat(ledger.unresolved().close(payment, NEVER)).isFalse();
    assertThat(ledger.settled(claim, PAID)).as("no proof").isFalse();
    assertThat(ledger.unresolved().find(claim.id()))
        .hasValueSatisfying(failed -> assertThat(failed.attempt()).isEqualTo(payment.attempt()));
    assertThat(ledger.unresolved().close(payment, PAID)).isTrue();

    assertThat(ledger.claim(sample.request())).isInstanceOf(Replay.class);
    assertThat(reserved(sample)).isZero();
    assertThat(count("journal")).isEqualTo(1);
    assertBooksAgree();
  }

  @Test
  @Tag("spec:money.1")
  void proofClosesNoAttemptButItsOwn() {
    Sample sample = onChain();
    doubted(sample);
    UnresolvedPayment read = only();
    UnresolvedPayment another =
        new UnresolvedPayment(
            read.id(),
            read.attempt() + 1,
            read.key(),
            read.asset(),
            read.payTo(),
            read.amount(),
            read.validBefore(),
            read.since(),
            read.transaction(),
            read.sent());

    assertThat(ledger.unresolved().close(another, PAID)).isFalse();

    assertThat(ledger.claim(sample.request())).isInstanceOf(InDoubt.class);
  }

  @Test
  @Tag("spec:money.2")
  void whatALivingCallIsSettlingIsNotToBeClosed() {
    Sample sample = onChain();
    Claim claim = settling(sample);
    UnresolvedPayment guessed =
        new UnresolvedPayment(
            claim.id(),
            claim.attempt(),
            claim.key(),
            Sample.ASSET,
            Sample.PAY_TO,
            claim.amount(),
            sample.validBefore(),
            clock.instant(),
            null,
            false);

    assertThat(listed(ledger.unresolved())).isEmpty();
    assertThat(ledger.unresolved().find(claim.id())).isEmpty();
    assertThat(ledger.unresolved().close(guessed, NEVER)).isFalse();
    assertThat(ledger.settled(claim, PAID)).isTrue();
  }

  @Test
  @Tag("spec:money.11")
  @Tag("spec:payment.state.settling")
  void aSentPaymentIsListedAndItsAnswerIsHadOnce() {
    Sample sample = onChain();
    Claim claim = sent(sample);

    UnresolvedPayment payment = only();

    assertThat(payment.sent()).isTrue();
    assertThat(payment.transaction()).isEqualTo("0xsent");
    assertThat(number("SELECT count(*) FROM payment WHERE state = 'SETTLING'")).isEqualTo(1);
    assertThat(reserved(sample)).isEqualTo(10_000);
    assertThat(count("journal")).isZero();
    ledger.delivered(claim);
    assertThat(ledger.claim(sample.request())).isInstanceOf(Used.class);
    assertThat(ledger.unresolved().close(payment, PAID)).isTrue();
    assertThat(ledger.claim(sample.request())).isInstanceOf(Used.class);
    assertThat(reserved(sample)).isZero();
    assertBooksAgree();
  }

  @Test
  @Tag("spec:money.3")
  @Tag("spec:money.11")
  void anUndeliveredAnswerOfASentPaymentIsHadAgain() {
    Sample sample = onChain();
    ledger.unanswered(sent(sample));
    UnresolvedPayment before = only();
    JdbcLedger other = node("b");

    Replay replay = (Replay) other.claim(sample.request());

    assertThat(other.identifiers().answer(replay.claim().id()).orElseThrow().body())
        .isEqualTo(Sample.ANSWER.body());
    assertThat(replay.transaction()).isEqualTo("0xsent");
    assertThat(other.unresolved().close(before, PAID)).as("its attempt is over").isFalse();
    other.delivered(replay.claim());
    assertThat(other.claim(sample.request())).isInstanceOf(Used.class);
    assertThat(other.unresolved().close(only(), PAID)).isTrue();
    assertThat(ledger.claim(sample.request())).isInstanceOf(Used.class);
  }

  @Test
  @Tag("spec:money.3")
  @Tag("spec:money.11")
  void aReadOfASentPaymentIsRunAgainOnceAtATime() {
    Sample sample = onChain().rereadable();
    Claim claim = claimed(ledger, sample);
    ledger.settling(claim, null);
    ledger.settled(claim, new Settlement.Sent("0xsent"));
    ledger.unanswered(claim);
    JdbcLedger other = node("b");

    Rerun rerun = (Rerun) other.claim(sample.request());

    assertThat(ledger.claim(sample.request())).isInstanceOf(ClaimResult.InFlight.class);
    assertThat(other.release(rerun.claim())).isTrue();
    Rerun again = (Rerun) other.claim(sample.request());
    other.delivered(again.claim());
    assertThat(other.claim(sample.request())).isInstanceOf(Used.class);
  }

  @Test
  @Tag("spec:money.11")
  @Tag("spec:money.journal")
  void aSentPaymentThatFailsIsALossUntilItProvesToBePaid() {
    Sample sample = onChain();
    Claim claim = sent(sample);
    UnresolvedPayment payment = only();
    ledger.delivered(claim);

    assertThat(ledger.unresolved().close(payment, NEVER)).isTrue();

    assertThat(lost()).isEqualTo(10_000);
    assertThat(earned()).isZero();
    assertThat(reserved(sample)).isZero();
    assertThat(ledger.claim(sample.request())).isInstanceOf(Failed.class);
    assertThat(ledger.unresolved().close(ledger.unresolved().find(claim.id()).orElseThrow(), PAID))
        .isTrue();
    assertThat(lost()).isZero();
    assertThat(earned()).isEqualTo(10_000);
    assertThat(reserved(sample)).isZero();
    assertBooksAgree();
  }

  private long lost() {
    return -booked(AccountKind.LOSS);
  }

  private long earned() {
    return booked(AccountKind.SELLER);
  }

  private long booked(AccountKind kind) {
    return number(
        """
        SELECT COALESCE(SUM(CASE WHEN j.credit = a.id THEN j.amount ELSE -j.amount END), 0)
        FROM book_account a JOIN journal j ON j.credit = a.id OR j.debit = a.id
        WHERE a.kind = '%s'
        """
            .formatted(kind));
  }

  @Test
  @Tag("spec:money.2")
  @Tag("spec:money.11")
  void aSentPaymentOfADeadNodeStaysListedOnceAndIsClosedByAnother() {
    Sample sample = onChain();
    sent(sample);
    Sample unsent = onChain();
    settling(unsent);
    expire("a");

    JdbcLedger other = node("b");

    assertThat(listed(other.unresolved()))
        .extracting(UnresolvedPayment::sent)
        .containsExactlyInAnyOrder(true, false);
    assertThat(other.claim(unsent.request())).isInstanceOf(InDoubt.class);
    for (UnresolvedPayment payment : listed(other.unresolved())) {
      assertThat(other.unresolved().close(payment, PAID)).isTrue();
    }
    assertThat(other.claim(sample.request())).isInstanceOf(Replay.class);
    assertThat(other.claim(unsent.request())).isInstanceOf(Replay.class);
    assertBooksAgree();
  }

  @Test
  @Tag("spec:money.1")
  @Tag("spec:money.2")
  void aNodeThatLostItsClaimCannotSayThatItWasSent() {
    Sample sample = onChain();
    Claim claim = settling(sample);
    expire("a");
    JdbcLedger other = node("b");

    assertThat(ledger.settled(claim, new Settlement.Sent("0xlate"))).isFalse();

    assertThat(other.claim(sample.request())).isInstanceOf(InDoubt.class);
    assertThat(listed(other.unresolved()))
        .hasSize(1)
        .allMatch(payment -> !payment.sent() && payment.transaction() == null);
  }

  @ParameterizedTest
  @EnumSource
  @Tag("spec:money.unknown_commit")
  void aCutLineAtACommitNeitherLosesNorDoublesWhatWasSent(NextCommit what) {
    Sample sample = onChain();
    Claim claim = settling(sample);
    database.nextCommit(what);

    assertThat(ledger.settled(claim, new Settlement.Sent("0xsent"))).isTrue();

    UnresolvedPayment payment = only();
    database.nextCommit(what);
    ledger.unresolved().close(payment, PAID);
    await().until(() -> listed(ledger.unresolved()).isEmpty());
    assertThat(count("journal")).isEqualTo(1);
    assertBooksAgree();
  }

  @Test
  @Tag("spec:money.3")
  void anAnswerIsKeptAsLongAsItIsInDoubtAndTenMinutesFromThen() {
    Sample sample = onChain();
    doubted(sample);
    JdbcLedger lively =
        node("b", it -> it.heartbeat(Duration.ofMillis(100), Duration.ofSeconds(1)));
    Sample witness = Sample.fresh();
    ledger.settleHere(claimed(ledger, witness), Sample.ANSWER);
    clock.forward(Duration.ofMinutes(30));
    await().until(() -> count("stored_answer") == 1);

    assertThat(ledger.unresolved().close(only(), PAID)).isTrue();

    clock.forward(Duration.ofMinutes(9));
    await()
        .ignoreException(LedgerUnavailable.class)
        .until(() -> lively.claim(sample.request()) instanceof Replay);
    clock.forward(Duration.ofMinutes(2));
    await().until(() -> count("stored_answer") == 0);
  }

  @Test
  void onlyAnEndClosesAPayment() {
    doubted(onChain());
    UnresolvedPayment payment = only();

    assertThatThrownBy(
            () -> ledger.unresolved().close(payment, new Settlement.Unknown("still", null)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> ledger.unresolved().close(payment, new Settlement.Sent("0xa")))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
