package dev.octroi.payments.ledger.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.octroi.payments.Redelivery;
import dev.octroi.payments.facilitator.Settlement;
import dev.octroi.payments.facilitator.UnresolvedPayments.UnresolvedPayment;
import dev.octroi.payments.ledger.Claim;
import dev.octroi.payments.ledger.ClaimResult;
import dev.octroi.payments.ledger.ClaimResult.InFlight;
import dev.octroi.payments.ledger.ClaimResult.Replay;
import dev.octroi.payments.ledger.ClaimResult.Rerun;
import dev.octroi.payments.ledger.ClaimResult.Used;
import dev.octroi.payments.ledger.LedgerUnavailable;
import dev.octroi.payments.ledger.jdbc.FlakyDatabase.NextCommit;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Who holds a payment between its charge and the end of its call: one call at a time, on any node
 * (money rule 3).
 */
abstract class DeliveringContract extends LedgerContract {

  DeliveringContract(TestDatabase kind) {
    super(kind);
  }

  /** A payment of each kind that has an answer, charged and on its way. */
  private List<Sample> underWay(List<Claim> claims) {
    Sample stored = Sample.fresh();
    Sample read = Sample.fresh().rereadable();
    Sample sent = Sample.fresh().spendable(50_000);
    Claim storedClaim = claimed(ledger, stored);
    ledger.settleHere(storedClaim, Sample.ANSWER);
    Claim readClaim = claimed(ledger, read);
    ledger.settleHere(readClaim, null);
    Claim sentClaim = claimed(ledger, sent);
    ledger.settling(sentClaim, Sample.ANSWER);
    ledger.settled(sentClaim, new Settlement.Sent("0xsent"));
    claims.addAll(List.of(storedClaim, readClaim, sentClaim));
    return List.of(stored, read, sent);
  }

  @Test
  @Tag("spec:money.3")
  @Tag("spec:decision.same_payment.delivering")
  void whileItsAnswerIsOnItsWayAPaymentIsInUseOnEveryNode() {
    JdbcLedger other = node("b");
    for (Sample sample : underWay(new ArrayList<>())) {
      assertThat(ledger.claim(sample.request())).isInstanceOf(InFlight.class);
      assertThat(other.claim(sample.request())).isInstanceOf(InFlight.class);
      assertThat(other.redeliver(sample.request())).isInstanceOf(InFlight.class);
      assertThat(ledger.claim(sample.withBinding(ELSEWHERE).request())).isInstanceOf(Used.class);
      assertThat(other.claim(sample.withBinding(ELSEWHERE).request())).isInstanceOf(Used.class);
    }
  }

  @Test
  @Tag("spec:money.3")
  void onceACallHasEndedWithoutDeliveryTheNextHasItsAnswerAtOnceOnEveryNode() {
    List<Claim> claims = new ArrayList<>();
    List<Sample> samples = underWay(claims);
    claims.forEach(ledger::unanswered);

    JdbcLedger other = node("b");
    assertThat(other.claim(samples.get(0).request())).isInstanceOf(Replay.class);
    assertThat(other.claim(samples.get(1).request())).isInstanceOf(Rerun.class);
    assertThat(ledger.claim(samples.get(2).request())).isInstanceOf(Replay.class);
  }

  @Test
  @Tag("spec:money.2")
  @Tag("spec:money.3")
  void onceItsNodeHasDiedTheNextHasItsAnswerAndTheDeadOneReportsNothingMore() {
    List<Claim> claims = new ArrayList<>();
    List<Sample> samples = underWay(claims);
    JdbcLedger other = node("b");
    expire("a");

    Replay stored = (Replay) other.claim(samples.get(0).request());
    assertThat(other.claim(samples.get(1).request())).isInstanceOf(Rerun.class);
    assertThat(other.claim(samples.get(2).request())).isInstanceOf(Replay.class);

    claims.forEach(ledger::delivered);
    ledger.sandboxBank().fund(Sample.NETWORK, Sample.random(20), Sample.ASSET, 1);
    assertThat(number("SELECT count(*) FROM payment WHERE delivered")).isZero();
    other.unanswered(stored.claim());
    assertThat(other.claim(samples.get(0).request())).isInstanceOf(Replay.class);
  }

  @Test
  @Tag("spec:money.3")
  void aRestartUnderTheSameNameEndsWhatItsLifeBeforeWasDelivering() {
    List<Sample> samples = underWay(new ArrayList<>());

    JdbcLedger restarted = node("a");

    assertThat(restarted.claim(samples.get(0).request())).isInstanceOf(Replay.class);
    assertThat(restarted.claim(samples.get(1).request())).isInstanceOf(Rerun.class);
  }

  @Test
  @Tag("spec:money.3")
  void aRepeatedAnswerIsOnOneConnectionAtATime() throws Exception {
    for (Sample sample : List.of(Sample.fresh(), Sample.fresh().rereadable())) {
      lost(ledger, sample, sample.redelivery() == Redelivery.REREAD ? null : Sample.ANSWER);
      List<JdbcLedger> nodes = List.of(ledger, node("b"), node("c"));

      List<ClaimResult> results =
          concurrently(9, number -> nodes.get(number % 3).claim(sample.request()));

      assertThat(results).filteredOn(InFlight.class::isInstance).hasSize(8);
      assertThat(results).filteredOn(DeliveringContract::isHad).hasSize(1);
    }
  }

  private static boolean isHad(ClaimResult result) {
    return result instanceof Replay || result instanceof Rerun;
  }

  @Test
  @Tag("spec:money.3")
  @Tag("spec:decision.same_payment.delivered")
  void aDeliveryCountsOnItsNodeBeforeItsNoteIsWritten() throws Exception {
    Sample sample = Sample.fresh().rereadable();
    Claim claim = claimed(ledger, sample);
    ledger.settleHere(claim, null);
    database.holdCommits();
    try {
      ledger.delivered(claim);

      assertThat(ledger.claim(sample.request())).isInstanceOf(Used.class);
    } finally {
      database.goOn();
    }
    ledger.sandboxBank().fund(Sample.NETWORK, Sample.random(20), Sample.ASSET, 1);
    assertThat(number("SELECT count(*) FROM payment WHERE delivered")).isEqualTo(1);
    assertThat(node("b").claim(sample.request())).isInstanceOf(Used.class);
    assertThat(ledger.claim(sample.request())).isInstanceOf(Used.class);
  }

  @Test
  @Tag("spec:money.3")
  void aCallThatEndsWhileTheDatabaseIsAwayHoldsItsPaymentNoLonger() {
    JdbcLedger hasty = node("b", it -> it.callDeadline(Duration.ofMillis(300)));
    Sample sample = Sample.fresh();
    Claim claim = claimed(hasty, sample);
    hasty.settleHere(claim, Sample.ANSWER);
    database.holdConnections();
    hasty.unanswered(claim);
    assertThatThrownBy(() -> hasty.claim(sample.request())).isInstanceOf(LedgerUnavailable.class);

    database.goOn();

    await()
        .ignoreException(LedgerUnavailable.class)
        .until(() -> hasty.claim(sample.request()) instanceof Replay);
  }

  @Test
  @Tag("spec:money.unknown_commit")
  void aSettlementThatItsCallerNeverHeardOfIsNotTakenForADelivery() {
    JdbcLedger hasty = node("b", it -> it.callDeadline(Duration.ofMillis(300)));
    Sample sample = Sample.fresh();
    Claim claim = claimed(hasty, sample);
    database.holdCommits();
    assertThatThrownBy(() -> hasty.settleHere(claim, Sample.ANSWER))
        .isInstanceOf(LedgerUnavailable.class);

    database.goOn();

    await()
        .ignoreException(LedgerUnavailable.class)
        .until(() -> hasty.claim(sample.request()) instanceof Replay);
    assertThat(balance(sample)).isEqualTo(START - 10_000);
    assertBooksAgree();
  }

  @Test
  @Tag("spec:money.unknown_commit")
  void aRepeatWhoseCommitWasNotAcknowledgedIsCountedOnce() {
    Sample sample = Sample.fresh().rereadable();
    lost(ledger, sample, null);
    database.nextCommit(NextCommit.WORKS_BUT_ITS_ANSWER_IS_LOST);

    assertThat(ledger.claim(sample.request())).isInstanceOf(Rerun.class);

    assertThat(number("SELECT reruns FROM payment")).isEqualTo(1);
  }

  @Test
  @Tag("spec:money.11")
  void proofThatATransactionHasArrivedDoesNotEndTheDeliveryOfItsAnswer() {
    Sample sample = Sample.fresh().spendable(50_000);
    Claim claim = claimed(ledger, sample);
    ledger.settling(claim, Sample.ANSWER);
    ledger.settled(claim, new Settlement.Sent("0xsent"));
    UnresolvedPayment sent = ledger.unresolved().find(claim.id()).orElseThrow();

    assertThat(ledger.unresolved().close(sent, new Settlement.Settled("0xsent"))).isTrue();

    assertThat(ledger.claim(sample.request())).isInstanceOf(InFlight.class);
    assertThat(node("b").claim(sample.request())).isInstanceOf(InFlight.class);
    ledger.delivered(claim);
    assertThat(ledger.claim(sample.request())).isInstanceOf(Used.class);
  }

  @Test
  @Tag("spec:money.3")
  void aReleaseThatComesTooLateLeavesThePaymentToTheCallThatSettledIt() {
    Sample sample = Sample.fresh();
    Claim claim = claimed(ledger, sample);
    ledger.settleHere(claim, Sample.ANSWER);

    assertThat(ledger.release(claim)).isFalse();

    assertThat(ledger.claim(sample.request())).isInstanceOf(InFlight.class);
  }
}
