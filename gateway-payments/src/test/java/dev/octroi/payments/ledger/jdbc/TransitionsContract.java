package dev.octroi.payments.ledger.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.octroi.payments.facilitator.Settlement;
import dev.octroi.payments.facilitator.UnresolvedPayments.UnresolvedPayment;
import dev.octroi.payments.ledger.Claim;
import dev.octroi.payments.ledger.ClaimResult.InDoubt;
import dev.octroi.payments.ledger.ClaimResult.Rerun;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Each fact that a statement names a payment by, alone (money rule 1): in every test all of them
 * are as the statement says but for one, so that the test fails without that one.
 */
abstract class TransitionsContract extends LedgerContract {

  /** So late that the clock has no part in it. */
  private static final long EPOCH = 4_000_000_000_000L;

  private static final Settlement PAID = new Settlement.Settled("0xpaid");
  private static final Settlement REFUSED = new Settlement.Refused("late");

  TransitionsContract(TestDatabase kind) {
    super(kind);
  }

  private static Sample onChain() {
    return Sample.fresh().spendable(50_000);
  }

  /** A node whose life has this number, as another one's may have by chance. */
  private JdbcLedger nodeOfEpoch(String name, long epoch) {
    change(
        """
        INSERT INTO node (name, epoch, beat_at, expires_at, open_since)
        VALUES ('%s', %d, CURRENT_TIMESTAMP, CURRENT_TIMESTAMP, CURRENT_TIMESTAMP)
        """
            .formatted(name, epoch - 1));
    return node(name);
  }

  private Claim settling(JdbcLedger node, Sample sample) {
    Claim claim = claimed(node, sample);
    assertThat(node.settling(claim, null)).isTrue();
    return claim;
  }

  /** What an heir found in doubt proves to be paid. */
  private void closePaid(JdbcLedger heir) {
    List<UnresolvedPayment> doubts = heir.unresolved().since(clock.instant().plusSeconds(60), 10);
    assertThat(doubts).hasSize(1);
    assertThat(heir.unresolved().close(doubts.get(0), PAID)).isTrue();
  }

  /** Has notes written that wait for the node's next commit. */
  private void commitNotes(JdbcLedger node) {
    node.sandboxBank().fund(Sample.NETWORK, Sample.random(20), Sample.ASSET, 1);
  }

  private long delivered() {
    return number("SELECT count(*) FROM payment WHERE delivered");
  }

  @Test
  @Tag("spec:money.1")
  void aCallThatGaveItsClaimBackCannotSettleTheNextAttempt() {
    Sample sample = Sample.fresh();
    Claim first = claimed(ledger, sample);
    ledger.release(first);
    Claim second = claimed(ledger, sample);

    assertThat(ledger.settleHere(first, Sample.ANSWER)).isInstanceOf(Settlement.Unknown.class);

    assertThat(balance(sample)).isEqualTo(START);
    assertThat(ledger.settleHere(second, Sample.ANSWER)).isInstanceOf(Settlement.Settled.class);
  }

  @Test
  @Tag("spec:money.1")
  @Tag("spec:money.2")
  void aNodeCannotDecideWhatAnotherTookOverWhoseEpochHasTheSameNumber() {
    JdbcLedger stalled = nodeOfEpoch("stalled", EPOCH);
    Sample sample = onChain();
    Claim claim = settling(stalled, sample);
    expire("stalled");
    JdbcLedger heir = nodeOfEpoch("heir", EPOCH);
    assertThat(number("SELECT count(*) FROM node WHERE name = 'heir' AND epoch = " + EPOCH))
        .isEqualTo(1);

    assertThat(stalled.settled(claim, REFUSED)).isFalse();

    assertThat(heir.claim(sample.request())).isInstanceOf(InDoubt.class);
  }

  @Test
  @Tag("spec:money.1")
  @Tag("spec:money.2")
  void aNodesEarlierLifeCannotDecideWhatItsNextOneTookOver() {
    Sample sample = onChain();
    Claim claim = settling(ledger, sample);
    JdbcLedger restarted = node("a");

    assertThat(ledger.settled(claim, REFUSED)).isFalse();

    assertThat(restarted.claim(sample.request())).isInstanceOf(InDoubt.class);
  }

  @Test
  @Tag("spec:money.1")
  void whatIsNoLongerClaimedCannotBeReleased() {
    Sample sample = onChain();
    Claim claim = settling(ledger, sample);

    assertThat(ledger.release(claim)).isFalse();

    assertThat(ledger.settled(claim, PAID)).isTrue();
    assertThat(reserved(sample)).isZero();
    assertBooksAgree();
  }

  @Test
  @Tag("spec:money.1")
  @Tag("spec:money.3")
  void theDeliveryOfAnEarlierAttemptIsNotTheNextOnes() {
    Sample sample = Sample.fresh().rereadable();
    Claim first = claimed(ledger, sample);
    ledger.settleHere(first, null);
    ledger.unanswered(first);
    Rerun second = (Rerun) ledger.claim(sample.request());

    ledger.delivered(first);
    commitNotes(ledger);

    assertThat(delivered()).isZero();
    ledger.delivered(second.claim());
    commitNotes(ledger);
    assertThat(delivered()).isEqualTo(1);
  }

  @Test
  @Tag("spec:money.1")
  @Tag("spec:money.2")
  void aNodeDeliversNothingThatAnotherTookOverWhoseEpochHasTheSameNumber() {
    JdbcLedger stalled = nodeOfEpoch("stalled", EPOCH);
    Claim claim = settling(stalled, onChain());
    expire("stalled");
    closePaid(nodeOfEpoch("heir", EPOCH));

    assertThat(stalled.answered(claim, Sample.ANSWER)).as("kept").isFalse();
    stalled.delivered(claim);
    commitNotes(stalled);

    assertThat(delivered()).isZero();
  }

  @Test
  @Tag("spec:money.1")
  @Tag("spec:money.2")
  void aNodesEarlierLifeDeliversNothingThatItsNextOneTookOver() {
    Claim claim = settling(ledger, onChain());
    closePaid(node("a"));

    assertThat(ledger.answered(claim, Sample.ANSWER)).as("kept").isFalse();
    ledger.delivered(claim);
    commitNotes(ledger);

    assertThat(delivered()).isZero();
  }

  @Test
  @Tag("spec:money.1")
  void whatIsNotChargedIsNotDelivered() {
    Claim claim = claimed(ledger, Sample.fresh());

    assertThat(ledger.answered(claim, Sample.ANSWER)).as("kept").isFalse();
    ledger.delivered(claim);
    commitNotes(ledger);

    assertThat(delivered()).isZero();
  }

  @Test
  @Tag("spec:money.1")
  @Tag("spec:money.3")
  void theAnswerOfAnEarlierAttemptIsNotKeptForTheNext() {
    Sample sample = Sample.fresh().rereadable();
    Claim first = claimed(ledger, sample);
    ledger.settleHere(first, null);
    ledger.unanswered(first);
    assertThat(ledger.claim(sample.request())).isInstanceOf(Rerun.class);

    assertThat(ledger.answered(first, Sample.ANSWER)).isFalse();

    assertThat(count("stored_answer")).isZero();
  }
}
