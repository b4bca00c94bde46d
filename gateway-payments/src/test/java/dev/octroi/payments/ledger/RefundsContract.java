package dev.octroi.payments.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import dev.octroi.payments.facilitator.Settlement;
import java.util.List;
import java.util.OptionalLong;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Refunds are rows of their own and never give back more than was charged. */
abstract class RefundsContract extends LedgerContract {

  private static final OptionalLong ALL = OptionalLong.empty();

  RefundsContract(TestDatabase where) {
    super(where);
  }

  @AfterEach
  void theBooksAgree() {
    assertBooksAgree();
  }

  @Test
  @Tag("spec:money.6")
  void sandboxMoneyIsBackAtOnce() {
    Sample sample = Sample.fresh();
    Claim claim = sold(sample);

    Refund refund = noted(ledger.refunds().ask(claim.id(), ALL, "it was wrong", "r1"));

    assertThat(refund.state()).isEqualTo(Refund.State.PAID);
    assertThat(refund.amount()).isEqualTo(10_000);
    assertThat(balance(sample)).isEqualTo(START);
    assertThat(ledger.refunds().open(10)).isEmpty();
  }

  @Test
  void thePaymentStaysSettled() {
    Claim claim = sold(Sample.fresh());

    ledger.refunds().ask(claim.id(), ALL, "it was wrong", "r1");

    assertThat(number("SELECT state FROM payment")).isEqualTo(3);
  }

  @Test
  void askingTwiceUnderOneKeyIsOneRefund() {
    Sample sample = Sample.fresh();
    Claim claim = sold(sample);

    Refund first = noted(ledger.refunds().ask(claim.id(), OptionalLong.of(3_000), "half", "r1"));
    Refund again = noted(ledger.refunds().ask(claim.id(), OptionalLong.of(3_000), "half", "r1"));

    assertThat(again).isEqualTo(first);
    assertThat(balance(sample)).isEqualTo(START - 7_000);
  }

  @Test
  void partsNeverExceedWhatWasCharged() {
    Claim claim = sold(Sample.fresh());
    ledger.refunds().ask(claim.id(), OptionalLong.of(6_000), "some", "r1");

    assertThat(ledger.refunds().ask(claim.id(), OptionalLong.of(4_001), "more", "r2"))
        .isEqualTo(new RefundResult.TooMuch(4_000));
    assertThat(noted(ledger.refunds().ask(claim.id(), ALL, "the rest", "r3")).amount())
        .isEqualTo(4_000);
    assertThat(ledger.refunds().ask(claim.id(), ALL, "again", "r4"))
        .isEqualTo(new RefundResult.TooMuch(0));
  }

  @Test
  void ofManyAtOnceNoMoreThanWasChargedGoesBack() throws Exception {
    Sample sample = Sample.fresh();
    Claim claim = sold(sample);
    JdbcLedger other = node("b");

    List<RefundResult> results =
        concurrently(
            20,
            number ->
                (number % 2 == 0 ? ledger : other)
                    .refunds()
                    .ask(claim.id(), OptionalLong.of(3_000), "race", "r" + number));

    assertThat(results).filteredOn(RefundResult.Noted.class::isInstance).hasSize(3);
    assertThat(balance(sample)).isEqualTo(START - 1_000);
  }

  @Test
  void whatDidNotSettleIsNotGivenBack() {
    Claim claim = claimed(ledger, Sample.fresh());

    assertThat(ledger.refunds().ask(claim.id(), ALL, "why", "r1"))
        .isEqualTo(new RefundResult.NotSettled());
    assertThat(ledger.refunds().ask(UUID.randomUUID(), ALL, "why", "r1"))
        .isEqualTo(new RefundResult.Unknown());
  }

  @Test
  @Tag("spec:money.6")
  void moneyOfAChainIsOwedUntilItIsProvenToBePaid() {
    Claim claim = claimed(ledger, Sample.fresh().spendable(50_000));
    ledger.settling(claim, Sample.ANSWER);
    ledger.settled(claim, new Settlement.Settled("0x01"));

    Refund owed = noted(ledger.refunds().ask(claim.id(), ALL, "it was wrong", "r1"));

    assertThat(owed.state()).isEqualTo(Refund.State.OWED);
    assertThat(ledger.refunds().open(10)).containsExactly(owed);
    assertBooksAgree();
    assertThat(ledger.refunds().sending(owed.id(), "0x02")).isTrue();
    assertThat(ledger.refunds().sending(owed.id(), "0x03")).isFalse();
    assertThat(ledger.refunds().paid(owed.id(), "0x02")).isTrue();
    assertThat(ledger.refunds().paid(owed.id(), "0x02")).isFalse();
    assertThat(ledger.refunds().of(claim.id()))
        .singleElement()
        .satisfies(
            refund -> {
              assertThat(refund.state()).isEqualTo(Refund.State.PAID);
              assertThat(refund.transaction()).isEqualTo("0x02");
            });
    assertThat(number("SELECT count(*) FROM journal")).isEqualTo(2);
  }

  private Claim sold(Sample sample) {
    Claim claim = claimed(ledger, sample);
    assertThat(ledger.settleHere(claim, Sample.ANSWER)).isInstanceOf(Settlement.Settled.class);
    return claim;
  }

  private static Refund noted(RefundResult result) {
    assertThat(result).isInstanceOf(RefundResult.Noted.class);
    return ((RefundResult.Noted) result).refund();
  }
}
