package dev.octroi.payments.ledger.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.octroi.payments.facilitator.Settlement;
import dev.octroi.payments.ledger.Claim;
import dev.octroi.payments.ledger.ClaimResult.Claimed;
import dev.octroi.payments.ledger.ClaimResult.InDoubt;
import dev.octroi.payments.ledger.ClaimResult.InFlight;
import dev.octroi.payments.ledger.ClaimResult.Replay;
import dev.octroi.payments.ledger.LedgerUnavailable;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Which node may do what with a claim, through stalls, deaths and restarts. */
abstract class NodesContract extends LedgerContract {

  NodesContract(TestDatabase kind) {
    super(kind);
  }

  @Test
  @Tag("spec:money.2")
  void theClaimsOfALivingNodeAreLeftAlone() {
    Claim claim = claimed(ledger, Sample.fresh());

    node("b");

    assertThat(ledger.settleHere(claim, null)).isInstanceOf(Settlement.Settled.class);
  }

  @Test
  @Tag("spec:money.2")
  void aStalledNodeCanDoNothingWithWhatAnotherTookOver() {
    Sample sample = Sample.fresh();
    Claim claim = claimed(ledger, sample);
    expire("a");
    JdbcLedger other = node("b");

    Claim taken = claimed(other, sample);

    assertThat(ledger.settleHere(claim, Sample.ANSWER)).isInstanceOf(Settlement.Unknown.class);
    assertThat(ledger.settling(claim, Sample.ANSWER)).isFalse();
    assertThat(ledger.release(claim)).isFalse();
    assertThat(other.settleHere(taken, Sample.ANSWER)).isInstanceOf(Settlement.Settled.class);
    ledger.delivered(claim);
    assertThatThrownBy(() -> ledger.claim(Sample.fresh().request()))
        .isInstanceOf(LedgerUnavailable.class);
    other.unanswered(taken);
    assertThat(other.claim(sample.request())).isInstanceOf(Replay.class);
    assertThat(balance(sample)).isEqualTo(START - 10_000);
  }

  @Test
  @Tag("spec:money.5")
  @Tag("spec:payment.state.in_doubt")
  void whatADeadNodeWasSettlingIsInDoubtAndOutOfItsReach() {
    Sample sample = Sample.fresh().spendable(50_000);
    Claim claim = claimed(ledger, sample);
    ledger.settling(claim, Sample.ANSWER);
    expire("a");

    JdbcLedger other = node("b");

    assertThat(other.claim(sample.request())).isInstanceOf(InDoubt.class);
    assertThat(ledger.settled(claim, new Settlement.Refused("late"))).isFalse();
    assertThat(other.claim(sample.request())).isInstanceOf(InDoubt.class);
    assertThat(reserved(sample)).isEqualTo(10_000);
  }

  @Test
  @Tag("spec:money.2")
  void aRestartUnderTheSameNameClosesWhatTheDeadProcessLeftOpen() {
    Sample claimed = Sample.fresh();
    Sample settling = Sample.fresh().spendable(10_000);
    claimed(ledger, claimed);
    ledger.settling(claimed(ledger, settling), null);

    JdbcLedger restarted = node("a");

    assertThat(claimed(restarted, claimed).attempt()).isEqualTo(2);
    assertThat(restarted.claim(settling.request())).isInstanceOf(InDoubt.class);
  }

  @Test
  @Tag("spec:money.2")
  void aNodeThatMissedItsHeartbeatSettlesNothing() {
    Sample sample = Sample.fresh();
    Claim claim = claimed(ledger, sample);

    clock.forward(Duration.ofHours(4));

    assertThat(ledger.settling(claim, null)).isFalse();
    assertThat(ledger.settleHere(claim, null)).isInstanceOf(Settlement.Unknown.class);
    assertThatThrownBy(() -> ledger.claim(Sample.fresh().request()))
        .isInstanceOf(LedgerUnavailable.class);
    assertThat(ledger.release(claim)).isTrue();
  }

  @Test
  @Tag("spec:money.2")
  void aNodeThatExpiredBeginsANewEpochAndOthersCloseTheOld() {
    Sample left = Sample.fresh();
    claimed(ledger, left);
    JdbcLedger lively =
        node("b", it -> it.heartbeat(Duration.ofMillis(100), Duration.ofSeconds(1)));
    expire("b");
    await().until(() -> number("SELECT count(*) FROM node WHERE name = 'b'") > 0);
    await()
        .ignoreException(LedgerUnavailable.class)
        .until(() -> lively.claim(Sample.fresh().request()) instanceof Claimed);
    assertThat(lively.claim(left.request())).isInstanceOf(InFlight.class);

    expire("a");

    await().until(() -> lively.claim(left.request()) instanceof Claimed);
  }

  @Test
  @Tag("spec:money.2")
  void claimsThatCannotBeClosedKeepNoOtherNodesClaimsOpenAndNoNodeFromStarting() {
    claimed(ledger, Sample.fresh());
    change("UPDATE book_account SET reserved = 0 WHERE kind = 'PAYER'");
    Sample left = Sample.fresh();
    claimed(node("b"), left);
    expire("a");
    expire("b");

    JdbcLedger other = node("c");

    assertThat(claimed(other, left).attempt()).isEqualTo(2);
    assertThat(number("SELECT count(*) FROM node WHERE name = 'a'")).as("tried again").isEqualTo(1);
  }

  @Test
  @Tag("spec:money.2")
  void aNodeThatStopsLeavesNothingToWaitFor() {
    Sample sample = Sample.fresh();
    claimed(ledger, sample);

    ledger.close();

    assertThat(claimed(node("b"), sample).attempt()).isEqualTo(2);
  }

  @Test
  @Tag("spec:money.2")
  @Tag("spec:money.rates_divided")
  void aNodeKnowsHowManyOfThemLive() {
    assertThat(ledger.pulse().nodes()).isEqualTo(1);
    JdbcLedger other = node("b", it -> it.heartbeat(Duration.ofMillis(100), Duration.ofSeconds(1)));
    assertThat(other.pulse().nodes()).isEqualTo(2);

    ledger.close();

    await().until(() -> other.pulse().nodes() == 1);
  }
}
