package dev.octroi.payments.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import dev.octroi.payments.PaymentUse;
import dev.octroi.payments.facilitator.Settlement;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What those who work for a payment are told of it (money rule 9). */
abstract class StandingsContract extends LedgerContract {

  StandingsContract(TestDatabase kind) {
    super(kind);
  }

  @Test
  @Tag("spec:money.9")
  void aPaymentStandsWhereItsStateSays() {
    Sample sample = Sample.fresh().spendable(50_000);
    Claim claim = claimed(ledger, sample);
    PaymentUse use = sample.use(claim);
    assertThat(standing(use)).isEqualTo(Standing.OPEN);
    ledger.settling(claim, null);
    assertThat(standing(use)).isEqualTo(Standing.OPEN);
    ledger.settled(claim, new Settlement.Unknown("timeout", null));
    assertThat(standing(use)).isEqualTo(Standing.OPEN);
    assertThat(ledger.standings().transaction(use)).isEmpty();

    ledger
        .undecided()
        .since(clock.instant().plusSeconds(60), 10)
        .forEach(it -> ledger.undecided().close(it, new Settlement.Settled("0xab")));

    assertThat(standing(use)).isEqualTo(Standing.SETTLED);
    assertThat(ledger.standings().transaction(use)).contains("0xab");
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

    assertThat(standing(released.use(first))).isEqualTo(Standing.DEAD);
    assertThat(standing(failed.use(second))).isEqualTo(Standing.DEAD);
    assertThat(standing(new PaymentUse(UUID.randomUUID(), "ab"))).isEqualTo(Standing.DEAD);
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

    assertThat(standing(sample.use(claim))).isEqualTo(Standing.DEAD);
    assertThat(standing(elsewhere.use(again))).isEqualTo(Standing.SETTLED);
    assertThat(ledger.standings().transaction(sample.use(claim))).isEmpty();
  }

  @Test
  @Tag("spec:money.9")
  void aTransactionOnItsWayHasPaid() {
    Sample sample = Sample.fresh().spendable(50_000);
    Claim claim = claimed(ledger, sample);
    ledger.settling(claim, null);
    ledger.settled(claim, new Settlement.Sent("0xcd"));

    assertThat(standing(sample.use(claim))).isEqualTo(Standing.SETTLED);
    assertThat(ledger.standings().transaction(sample.use(claim))).contains("0xcd");
  }

  /** Asked in a transaction of its own and in another's. */
  private Standing standing(PaymentUse use) {
    Standing alone = ledger.standings().of(use);
    Standing within = ledger.statements().run(handle -> ledger.standings().of(handle, use));
    assertThat(within).isEqualTo(alone);
    return alone;
  }
}
