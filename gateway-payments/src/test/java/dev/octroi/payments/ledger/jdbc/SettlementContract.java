package dev.octroi.payments.ledger.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.octroi.payments.facilitator.Settlement;
import dev.octroi.payments.ledger.AnswerTooLarge;
import dev.octroi.payments.ledger.Claim;
import dev.octroi.payments.ledger.ClaimRequest.RequestBinding;
import dev.octroi.payments.ledger.ClaimResult;
import dev.octroi.payments.ledger.ClaimResult.InDoubt;
import dev.octroi.payments.ledger.ClaimResult.InFlight;
import dev.octroi.payments.ledger.ClaimResult.Insufficient;
import dev.octroi.payments.ledger.ClaimResult.Replay;
import dev.octroi.payments.ledger.ClaimResult.Used;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** How a claim ends, and what the books say of it. */
abstract class SettlementContract extends LedgerContract {

  SettlementContract(TestDatabase kind) {
    super(kind);
  }

  @Test
  @Tag("spec:payment.state.settled")
  @Tag("spec:money.journal")
  void aSettledPaymentMovesItsMoneyOnce() {
    Sample sample = Sample.fresh();
    Claim claim = claimed(ledger, sample);

    Settlement settlement = ledger.settleHere(claim, Sample.ANSWER);

    assertThat(settlement).isInstanceOf(Settlement.Settled.class);
    assertThat(((Settlement.Settled) settlement).transaction()).doesNotStartWith("0x");
    assertThat(ledger.settleHere(claim, Sample.ANSWER)).isInstanceOf(Settlement.Unknown.class);
    assertThat(ledger.release(claim)).isFalse();
    assertThat(balance(sample)).isEqualTo(START - 10_000);
    assertBooksAgree();
  }

  @Test
  @Tag("spec:money.5")
  @Tag("spec:payment.state.in_doubt")
  void anUnknownOutcomeIsInDoubtUntilItIsKnown() {
    Sample sample = Sample.fresh().spendable(50_000);
    Claim claim = claimed(ledger, sample);
    assertThat(ledger.settling(claim, Sample.ANSWER)).isTrue();
    assertThat(ledger.claim(sample.withBinding(ELSEWHERE).request())).isInstanceOf(Used.class);

    assertThat(ledger.settled(claim, new Settlement.Unknown("timeout", "0xabc"))).isTrue();

    assertThat(ledger.claim(sample.request())).isInstanceOf(InDoubt.class);
    assertThat(count("doubt")).isEqualTo(1);
    assertThat(ledger.settled(claim, new Settlement.Settled("0xabc"))).isTrue();
    assertThat(count("doubt")).isZero();
    assertThat(ledger.claim(sample.request())).isInstanceOf(Replay.class);
    assertBooksAgree();
  }

  @Test
  void whatIsSettledForAnotherServerIsNothingThatItsPayerHasPaidHere() {
    Sample served =
        Sample.fresh()
            .withBinding(
                new RequestBinding(
                    "POST", RequestBinding.SETTLED_FOR_OTHERS, "key=1", "00".repeat(32)));
    ledger.settleHere(claimed(ledger, served), Sample.ANSWER);
    assertThat(ledger.history(Sample.NETWORK, served.payer()).hasPaid()).isFalse();

    ledger.settleHere(claimed(ledger, Sample.fresh(served.payer())), Sample.ANSWER);

    assertThat(ledger.history(Sample.NETWORK, served.payer()).hasPaid()).isTrue();
  }

  @Test
  @Tag("spec:payment.state.failed")
  void aRefusedSettlementStaysFailedWithItsReason() {
    Sample sample = Sample.fresh().spendable(50_000);
    Claim claim = claimed(ledger, sample);
    ledger.settling(claim, Sample.ANSWER);

    assertThat(ledger.settled(claim, new Settlement.Refused("insufficient_funds"))).isTrue();

    assertThat(ledger.claim(sample.request()))
        .isEqualTo(new ClaimResult.Failed("insufficient_funds"));
    assertThat(count("journal")).isZero();
    assertThat(reserved(sample)).isZero();
  }

  @Test
  @Tag("spec:payment.state.settling")
  @Tag("spec:money.3")
  void theCommitThatBeginsASettlementStoresItsAnswer() {
    Sample sample = Sample.fresh().spendable(50_000);
    Claim claim = claimed(ledger, sample);
    assertThat(count("stored_answer")).isZero();

    assertThat(ledger.settling(claim, Sample.ANSWER)).isTrue();

    assertThat(number("SELECT count(*) FROM payment WHERE state = 'SETTLING'")).isEqualTo(1);
    assertThat(count("stored_answer")).isEqualTo(1);
    assertThat(count("journal")).isZero();
    assertThat(ledger.release(claim)).isFalse();
    assertThat(ledger.claim(sample.request())).isInstanceOf(InFlight.class);
  }

  @Test
  @Tag("spec:payment.state.settled")
  @Tag("spec:payment.state.failed")
  void whatHasEndedStaysAsItEnded() {
    Sample paid = Sample.fresh().spendable(50_000);
    Sample refused = Sample.fresh().spendable(50_000);
    Claim settled = claimed(ledger, paid);
    Claim failed = claimed(ledger, refused);
    ledger.settling(settled, Sample.ANSWER);
    ledger.settling(failed, Sample.ANSWER);
    ledger.settled(settled, new Settlement.Settled("0xabc"));
    ledger.settled(failed, new Settlement.Refused("refused"));

    for (Claim ended : List.of(settled, failed)) {
      assertThat(ledger.release(ended)).isFalse();
      assertThat(ledger.settling(ended, Sample.ANSWER)).isFalse();
      assertThat(ledger.settled(ended, new Settlement.Unknown("late", null))).isFalse();
    }
    assertThat(ledger.settled(settled, new Settlement.Refused("late"))).isFalse();
    assertThat(ledger.claim(paid.request())).isInstanceOf(Replay.class);
    assertThat(ledger.claim(refused.request())).isEqualTo(new ClaimResult.Failed("refused"));
    assertBooksAgree();
  }

  @Test
  @Tag("spec:payment.concurrency")
  @Tag("spec:money.journal")
  void aCrowdOfCallsKeepsTheBooks() throws Exception {
    JdbcLedger other = node("b");
    String payer = Sample.random(20);

    concurrently(
        32,
        number -> {
          JdbcLedger mine = number % 2 == 0 ? ledger : other;
          for (int i = 0; i < 10; i++) {
            Claim claim = claimed(mine, Sample.fresh(i % 2 == 0 ? payer : Sample.random(20)));
            if (i % 3 == 0) {
              mine.release(claim);
            } else {
              assertThat(mine.settleHere(claim, Sample.ANSWER))
                  .isInstanceOf(Settlement.Settled.class);
              mine.delivered(claim);
            }
          }
          return true;
        });

    assertThat(count("payment")).isEqualTo(320);
    assertThat(number("SELECT count(*) FROM payment WHERE state = 'SETTLED'")).isEqualTo(192);
    assertBooksAgree();
  }

  @Test
  @Tag("spec:money.3")
  void anAnswerTooLargeToBeStoredIsRefusedBeforeItIsCharged() {
    JdbcLedger small = node("b", it -> it.maxAnswer(6).answerRetention(Duration.ofMinutes(10)));
    Sample sample = Sample.fresh();
    Claim claim = claimed(small, sample);

    assertThatThrownBy(() -> small.settleHere(claim, Sample.ANSWER))
        .isInstanceOf(AnswerTooLarge.class);

    assertThat(small.release(claim)).isTrue();
    assertThat(balance(sample)).isEqualTo(START);
  }

  @Test
  @Tag("spec:payment.sandbox.expiry")
  void anAuthorizationThatExpiredDuringTheCallIsNotSettled() {
    Sample sample = Sample.fresh().validUntil(clock.instant().plusSeconds(60));
    Claim claim = claimed(ledger, sample);
    clock.forward(Duration.ofSeconds(61));

    assertThat(ledger.settleHere(claim, null)).isInstanceOf(Settlement.Refused.class);

    assertThat(ledger.claim(sample.request())).isInstanceOf(ClaimResult.Failed.class);
    assertThat(balance(sample)).isEqualTo(START);
    assertBooksAgree();
  }

  @Test
  @Tag("spec:payment.sandbox.balance")
  void sandboxMoneyRunsOutAndCanBeGivenMore() {
    Sample dear = Sample.fresh().withAmount(START + 1);
    assertThat(ledger.claim(dear.request())).isInstanceOf(Insufficient.class);

    ledger.sandboxBank().fund(Sample.NETWORK, dear.payer(), Sample.ASSET, 1);

    assertThat(balance(dear)).isEqualTo(START + 1);
    assertThat(ledger.settleHere(claimed(ledger, dear), null))
        .isInstanceOf(Settlement.Settled.class);
    assertThat(balance(dear)).isZero();
    assertBooksAgree();
  }

  @Test
  void aPayerCanBeFundedBeforeTheFirstCall() {
    Sample sample = Sample.fresh();
    ledger.sandboxBank().fund(Sample.NETWORK, sample.payer(), Sample.ASSET, 5);
    claimed(ledger, sample);
    assertThat(balance(sample)).isEqualTo(START + 5);
  }
}
