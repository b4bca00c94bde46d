package dev.octroi.payments.ledger.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.octroi.payments.PaymentUse;
import dev.octroi.payments.facilitator.Settlement;
import dev.octroi.payments.ledger.Claim;
import dev.octroi.payments.ledger.PaymentStatuses.PaymentStatus;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What those who work for a payment are told of it (money rule 9). */
abstract class PaymentStatusesContract extends LedgerContract {

  PaymentStatusesContract(TestDatabase kind) {
    super(kind);
  }

  @Test
  @Tag("spec:money.9")
  void aPaymentStandsWhereItsStateSays() {
    Sample sample = Sample.fresh().spendable(50_000);
    Claim claim = claimed(ledger, sample);
    PaymentUse use = sample.use(claim);
    assertThat(paymentStatus(use)).isEqualTo(PaymentStatus.OPEN);
    ledger.settling(claim, null);
    assertThat(paymentStatus(use)).isEqualTo(PaymentStatus.OPEN);
    ledger.settled(claim, new Settlement.Unknown("timeout", null));
    assertThat(paymentStatus(use)).isEqualTo(PaymentStatus.OPEN);
    assertThat(ledger.paymentStatuses().transaction(use)).isEmpty();

    ledger
        .unresolved()
        .since(clock.instant().plusSeconds(60), 10)
        .forEach(it -> ledger.unresolved().close(it, new Settlement.Settled("0xab")));

    assertThat(paymentStatus(use)).isEqualTo(PaymentStatus.SETTLED);
    assertThat(ledger.paymentStatuses().transaction(use)).contains("0xab");
  }

  @Test
  @Tag("spec:money.9")
  void whatWasGivenBackOrFailedOrIsUnknownIsDead() {
    Sample released = Sample.fresh();
    Claim first = claimed(ledger, released);
    ledger.release(first);
    Sample failed = Sample.fresh().spendable(50_000);
    Claim second = claimed(ledger, failed);
    ledger.settling(second, null);
    ledger.settled(second, new Settlement.Refused("no"));

    assertThat(paymentStatus(released.use(first))).isEqualTo(PaymentStatus.DEAD);
    assertThat(paymentStatus(failed.use(second))).isEqualTo(PaymentStatus.DEAD);
    assertThat(paymentStatus(new PaymentUse(UUID.randomUUID(), "ab")))
        .isEqualTo(PaymentStatus.DEAD);
  }

  @Test
  @Tag("spec:money.9")
  void aPaymentThatPaidForAnotherRequestIsDeadForTheFirst() {
    Sample sample = Sample.fresh();
    Claim claim = claimed(ledger, sample);
    ledger.release(claim);
    Sample elsewhere = sample.withBinding(ELSEWHERE);
    Claim again = claimed(ledger, elsewhere);
    ledger.settleHere(again, Sample.ANSWER);

    assertThat(paymentStatus(sample.use(claim))).isEqualTo(PaymentStatus.DEAD);
    assertThat(paymentStatus(elsewhere.use(again))).isEqualTo(PaymentStatus.SETTLED);
    assertThat(ledger.paymentStatuses().transaction(sample.use(claim))).isEmpty();
  }

  @Test
  @Tag("spec:money.9")
  void aTransactionOnItsWayHasPaid() {
    Sample sample = Sample.fresh().spendable(50_000);
    Claim claim = claimed(ledger, sample);
    ledger.settling(claim, null);
    ledger.settled(claim, new Settlement.Sent("0xcd"));

    assertThat(paymentStatus(sample.use(claim))).isEqualTo(PaymentStatus.SETTLED);
    assertThat(ledger.paymentStatuses().transaction(sample.use(claim))).contains("0xcd");
  }

  /** Asked in a transaction of its own and in another's. */
  private PaymentStatus paymentStatus(PaymentUse use) {
    PaymentStatus alone = ledger.paymentStatuses().of(use);
    PaymentStatus within =
        ledger.statements().run(handle -> ledger.paymentStatuses().of(handle, use));
    assertThat(within).isEqualTo(alone);
    return alone;
  }
}
