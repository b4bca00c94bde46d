package dev.octroi.payments.ledger.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.octroi.payments.facilitator.Settlement;
import dev.octroi.payments.ledger.Claim;
import dev.octroi.payments.ledger.ClaimResult;
import dev.octroi.payments.ledger.ClaimResult.InDoubt;
import dev.octroi.payments.ledger.ClaimResult.InFlight;
import dev.octroi.payments.ledger.ClaimResult.Replay;
import dev.octroi.payments.ledger.ClaimResult.Rerun;
import dev.octroi.payments.ledger.ClaimResult.Used;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** When a method that settles before its effect is run again, and for whom (money rules 3, 6). */
abstract class ResumptionContract extends LedgerContract {

  private static final Duration OFTEN = Duration.ofMillis(50);

  ResumptionContract(TestDatabase kind) {
    super(kind);
  }

  @Test
  @Tag("spec:money.3")
  void whatIsSettledAndUnansweredIsRunAgainAsOftenAsAskedAndOnceAtATime() {
    Sample sample = Sample.fresh().resumable();
    Claim claim = claimed(ledger, sample);
    ledger.settleHere(claim, null);
    JdbcLedger other = node("b");
    assertThat(ledger.claim(sample.request())).as("at work").isInstanceOf(InFlight.class);
    assertThat(other.claim(sample.request())).as("at work there").isInstanceOf(InFlight.class);
    ledger.unanswered(claim);

    for (int run = 1; run <= 5; run++) {
      Rerun rerun = (Rerun) ledger.claim(sample.request());
      assertThat(rerun.transaction()).startsWith("sandbox:");
      assertThat(other.claim(sample.request())).isInstanceOf(InFlight.class);
      assertThat(ledger.claim(sample.request())).isInstanceOf(InFlight.class);
      ledger.unanswered(rerun.claim());
    }

    Rerun last = (Rerun) ledger.claim(sample.request());
    assertThat(ledger.answered(last.claim(), Sample.ANSWER)).isTrue();
    ledger.delivered(last.claim());
    assertThat(ledger.claim(sample.request())).isInstanceOf(Used.class);
    assertThat(balance(sample)).isEqualTo(START - 10_000);
    assertBooksAgree();
  }

  @Test
  @Tag("spec:money.3")
  void ofManyWhoAskAtOnceOneRunsItAgain() throws Exception {
    Sample sample = Sample.fresh().resumable();
    Claim claim = claimed(ledger, sample);
    ledger.settleHere(claim, null);
    ledger.unanswered(claim);
    List<JdbcLedger> nodes = List.of(ledger, node("b"), node("c"));

    List<ClaimResult> results =
        concurrently(9, number -> nodes.get(number % 3).claim(sample.request()));

    assertThat(results).filteredOn(Rerun.class::isInstance).hasSize(1);
    assertThat(results).filteredOn(InFlight.class::isInstance).hasSize(8);
  }

  @Test
  @Tag("spec:money.4")
  void itIsRunAgainForTheIdenticalEnvelopeAndRequestAlone() {
    Sample sample = Sample.fresh().resumable();
    Claim claim = claimed(ledger, sample);
    ledger.settleHere(claim, null);
    ledger.unanswered(claim);

    assertThat(ledger.claim(sample.withEnvelope("22".repeat(32)).request()))
        .isInstanceOf(Used.class);
    assertThat(ledger.claim(sample.withBinding(ELSEWHERE).request())).isInstanceOf(Used.class);
    assertThat(ledger.claim(sample.request())).isInstanceOf(Rerun.class);
  }

  @Test
  @Tag("spec:money.3")
  void aStoredAnswerIsHadAgainBeforeTheMethodRuns() {
    Sample sample = Sample.fresh().resumable();
    Claim claim = claimed(ledger, sample);
    ledger.settleHere(claim, null);
    ledger.answered(claim, Sample.ANSWER);
    ledger.unanswered(claim);

    assertThat(ledger.claim(sample.request())).isInstanceOf(Replay.class);
  }

  @Test
  @Tag("spec:money.2")
  void aDeadNodesRunIsTakenOverByAnotherAndReportsNothingMore() {
    Sample sample = Sample.fresh().resumable();
    Claim claim = claimed(ledger, sample);
    ledger.settleHere(claim, null);
    JdbcLedger other = node("b");
    expire("a");

    Rerun rerun = (Rerun) other.claim(sample.request());

    ledger.unanswered(claim);
    ledger.delivered(claim);
    claimed(other, Sample.fresh());
    assertThat(other.claim(sample.request())).as("still at work").isInstanceOf(InFlight.class);
    expire("b");
    assertThat(node("c").claim(sample.request())).isInstanceOf(Rerun.class);
    assertThat(other.answered(rerun.claim(), Sample.ANSWER)).isFalse();
  }

  @Test
  @Tag("spec:money.5")
  void aPaymentInDoubtIsRunAgainOnceItHasProvenToBeSettled() {
    Sample sample = Sample.fresh().spendable(50_000).resumable();
    Claim claim = claimed(ledger, sample);
    ledger.settling(claim, null);
    ledger.settled(claim, new Settlement.Unknown("timeout", null));
    ledger.unanswered(claim);
    assertThat(ledger.claim(sample.request())).isInstanceOf(InDoubt.class);

    ledger
        .unresolved()
        .since(clock.instant().plusSeconds(60), 10)
        .forEach(it -> ledger.unresolved().close(it, new Settlement.Settled("0xab")));

    assertThat(((Rerun) ledger.claim(sample.request())).transaction()).isEqualTo("0xab");
  }

  @Test
  @Tag("spec:money.3")
  void aRunThatItsCallerForgotToEndDoesNotHoldItsTurnForEver() {
    JdbcLedger forgetful = node("b", it -> it.heartbeat(OFTEN, Duration.ofHours(20)));
    Sample sample = Sample.fresh().resumable();
    forgetful.settleHere(claimed(forgetful, sample), null);
    assertThat(forgetful.claim(sample.request())).isInstanceOf(InFlight.class);
    assertThat(ledger.claim(sample.request())).isInstanceOf(InFlight.class);

    clock.forward(Duration.ofMinutes(11));

    await().until(() -> ledger.claim(sample.request()) instanceof Rerun);
  }

  /** Which marks neither the beginning nor the end of a first run. */
  @Test
  @Tag("spec:money.3")
  void aFirstRunOnANodeOfTheVersionBeforeIsNotRunBesideItself() {
    Sample sample = Sample.fresh().resumable();
    ledger.settleHere(claimed(ledger, sample), null);
    change("UPDATE payment SET rerunning = FALSE");
    JdbcLedger other = node("b");
    assertThat(other.claim(sample.request())).isInstanceOf(InFlight.class);

    clock.forward(Duration.ofMinutes(11));

    assertThat(other.claim(sample.request())).isInstanceOf(Rerun.class);
  }

  @Test
  @Tag("spec:money.5")
  void aRunWhoseNodeDiedInDoubtIsRunAgainAsSoonAsItHasProvenToBeSettled() {
    Sample sample = Sample.fresh().spendable(50_000).resumable();
    ledger.settling(claimed(ledger, sample), null);
    expire("a");
    JdbcLedger heir = node("b");
    assertThat(heir.claim(sample.request())).isInstanceOf(InDoubt.class);

    heir.unresolved()
        .since(clock.instant().plusSeconds(60), 10)
        .forEach(it -> heir.unresolved().close(it, new Settlement.Settled("0xab")));

    assertThat(node("c").claim(sample.request())).isInstanceOf(Rerun.class);
  }
}
