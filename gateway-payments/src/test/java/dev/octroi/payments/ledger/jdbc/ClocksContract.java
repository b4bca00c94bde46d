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
import dev.octroi.payments.ledger.LedgerSettings;
import dev.octroi.payments.ledger.LedgerUnavailable;
import java.time.Duration;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Nodes whose clocks stand still or jump by hours, while the database's goes on. */
@Tag("spec:money.2")
abstract class ClocksContract extends LedgerContract {

  private static final Duration HOURS = Duration.ofHours(2);

  private static final UnaryOperator<LedgerSettings.Builder> LIVELY =
      it ->
          it.heartbeat(Duration.ofMillis(100), Duration.ofSeconds(2))
              .clockDifference(Duration.ofSeconds(30));

  private final SteppedClock wrong = new SteppedClock();

  ClocksContract(TestDatabase kind) {
    super(kind);
  }

  @Test
  void aNodeWhoseClockStandsStillKnowsThatItMissedItsHeartbeat() {
    JdbcLedger stopped = node("b", LIVELY, wrong);
    Sample sample = Sample.fresh();
    Claim claim = claimed(stopped, sample);
    wrong.stop();

    database.holdConnections();

    await().until(() -> !stopped.pulse().alive());
    assertThat(stopped.settling(claim, Sample.ANSWER)).isFalse();
    database.goOn();
  }

  @Test
  void aNodeWhoseClockIsPutBackKnowsThatItMissedItsHeartbeat() {
    JdbcLedger late = node("b", LIVELY, wrong);
    claimed(late, Sample.fresh());

    database.holdConnections();
    wrong.forward(HOURS.negated());

    await().until(() -> !late.pulse().alive());
    database.goOn();
  }

  @Test
  @Tag("spec:money.5")
  void whatWasClaimedAfterTheClockWasPutBackIsClosedWithTheNode() {
    JdbcLedger late = node("b", it -> it, wrong);
    wrong.forward(HOURS.negated());
    Sample claimed = Sample.fresh();
    Sample settling = Sample.fresh().spendable(10_000);
    claimed(late, claimed);
    assertThat(late.settling(claimed(late, settling), null)).isTrue();

    expire("b");
    JdbcLedger heir = node("c");

    assertThat(heir.claim(claimed.request())).isInstanceOf(Claimed.class);
    assertThat(heir.claim(settling.request())).isInstanceOf(InDoubt.class);
  }

  @Test
  @Tag("spec:money.5")
  void whatDiedWhileTheDatabasesClockWasAheadIsClosedAlthoughItsTimeIsToCome() {
    Sample claimed = Sample.fresh();
    Sample settling = Sample.fresh().spendable(10_000);
    claimed(ledger, claimed);
    assertThat(ledger.settling(claimed(ledger, settling), null)).isTrue();
    beatAhead("a");

    JdbcLedger heir = node("c", LIVELY, clock);

    await().until(() -> heir.claim(claimed.request()) instanceof Claimed);
    assertThat(heir.claim(settling.request())).isInstanceOf(InDoubt.class);
  }

  @Test
  void aNodeThatBeatsAgainAfterTheDatabasesClockWasPutBackKeepsItsClaims() {
    JdbcLedger living = node("b", LIVELY, clock);
    Sample sample = Sample.fresh();
    Claim claim = claimed(living, sample);
    final JdbcLedger other = node("c", LIVELY, clock);
    beatAhead("b");

    // Longer than two of the other's sweeps.
    await()
        .pollDelay(Duration.ofSeconds(5))
        .until(() -> other.claim(sample.request()) instanceof InFlight);

    assertThat(living.settleHere(claim, Sample.ANSWER)).isInstanceOf(Settlement.Settled.class);
  }

  private void beatAhead(String node) {
    change(
        "UPDATE node SET beat_at = beat_at + INTERVAL '1' DAY, expires_at = expires_at + INTERVAL"
            + " '1' DAY WHERE name = '"
            + node
            + "'");
  }

  @Test
  void aClockThatIsPutForwardTakesNothingFromOthers() {
    Sample sample = Sample.fresh();
    Claim claim = claimed(ledger, sample);
    wrong.forward(HOURS);

    JdbcLedger early = node("b", it -> it, wrong);

    assertThat(early.claim(sample.request())).isInstanceOf(InFlight.class);
    assertThat(ledger.settleHere(claim, Sample.ANSWER)).isInstanceOf(Settlement.Settled.class);
    assertThat(balance(sample)).isEqualTo(START - 10_000);
    assertBooksAgree();
  }

  @Test
  @Tag("spec:money.3")
  void anAnswerThatIsOwedIsNotTakenForOldByAWrongClock() {
    Sample sample = Sample.fresh();
    Claim sold = claimed(ledger, sample);
    assertThat(ledger.settleHere(sold, Sample.ANSWER)).isInstanceOf(Settlement.Settled.class);
    ledger.unanswered(sold);
    JdbcLedger early = node("b", LIVELY, wrong);
    wrong.forward(HOURS);
    await().until(() -> !early.pulse().alive());

    assertThatThrownBy(() -> early.claim(sample.request())).isInstanceOf(LedgerUnavailable.class);

    // Longer than its housekeeping pauses.
    await().pollDelay(Duration.ofSeconds(4)).until(() -> !early.pulse().alive());
    assertThat(ledger.claim(sample.request())).isInstanceOf(Replay.class);
  }

  @Test
  void aNodeWhoseClockIsRightAgainServesAgain() {
    JdbcLedger early = node("b", LIVELY, wrong);
    wrong.forward(HOURS);
    await().until(() -> !early.pulse().alive());

    wrong.goOn();

    await().until(() -> early.pulse().alive());
    assertThat(early.claim(Sample.fresh().request())).isInstanceOf(Claimed.class);
  }

  @Test
  void aClockThatStandsStillBeginsNoEpochTwice() {
    wrong.stop();
    JdbcLedger stopped = node("b", LIVELY, wrong);
    long first = stopped.owner().epoch();

    change("DELETE FROM node WHERE name = 'b'");

    await().until(() -> stopped.owner().epoch() > first);
  }
}
