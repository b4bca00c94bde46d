package dev.octroi.payments.ledger.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.octroi.payments.PaymentUse;
import dev.octroi.payments.ledger.Claim;
import dev.octroi.payments.ledger.ClaimResult.InDoubt;
import dev.octroi.payments.ledger.ClaimResult.InFlight;
import dev.octroi.payments.ledger.ClaimResult.Used;
import dev.octroi.payments.ledger.Effects;
import dev.octroi.payments.ledger.Effects.Along;
import dev.octroi.payments.ledger.Effects.Ending;
import dev.octroi.payments.ledger.jdbc.FlakyDatabase.NextCommit;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Effects that cannot be undone are written down first (money rule 6). */
abstract class EffectsContract extends LedgerContract {

  EffectsContract(TestDatabase kind) {
    super(kind);
  }

  @Test
  @Tag("spec:money.6")
  void anEffectIsNotedOnceAndClosedOnce() {
    PaymentUse payment = new PaymentUse(UUID.randomUUID(), "");

    Effects.Effect effect = ledger.effects().begin(payment, "number", "+1 212");

    assertThat(effect.isNew()).isTrue();
    assertThat(effect.outcome()).isEqualTo(Effects.Outcome.UNKNOWN);
    Effects.Effect again = node("b").effects().begin(payment, "number", "+1 212");
    assertThat(again.isNew()).isFalse();
    assertThat(again.vendorKey()).isEqualTo(effect.vendorKey());
    assertThat(ledger.effects().close(effect, Ending.done("PN1", "{}"), Along.NOTHING)).isTrue();
    assertThat(ledger.effects().close(effect, Ending.notDone("no"), Along.NOTHING)).isFalse();
    assertThat(ledger.effects().find(payment.payment(), "number"))
        .hasValueSatisfying(
            it -> {
              assertThat(it.outcome()).isEqualTo(Effects.Outcome.DONE);
              assertThat(it.vendorReference()).isEqualTo("PN1");
            });
    assertThat(ledger.effects().find(payment.payment(), "call")).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  @Tag("spec:money.6")
  void anEffectIsDurableBeforeItsCallerMayGoOn(NextCommit what) {
    PaymentUse payment = new PaymentUse(UUID.randomUUID(), "");
    database.nextCommit(what);

    assertThat(ledger.effects().begin(payment, "call", "dial").isNew()).isTrue();

    assertThat(ledger.effects().begin(payment, "call", "dial").isNew()).isFalse();
    assertThat(count("effect")).isEqualTo(1);
  }

  @Test
  @Tag("spec:money.6")
  void aPaymentOfAnUnknownEffectIsInDoubtUntilItsVendorWasAsked() {
    Sample sample = Sample.fresh();
    Claim claim = claimed(ledger, sample);
    ledger.settleHere(claim, null);
    Effects.Effect effect = ledger.effects().begin(new PaymentUse(claim.id(), ""), "call", "dial");
    assertThat(ledger.claim(sample.request())).as("at work").isInstanceOf(InFlight.class);
    expire("a");
    JdbcLedger other = node("b");

    assertThat(other.claim(sample.request())).isInstanceOf(InDoubt.class);

    other.effects().close(effect, Ending.done("CA1", ""), Along.NOTHING);
    assertThat(other.claim(sample.request())).isInstanceOf(Used.class);
    assertThat(balance(sample)).isEqualTo(START - 10_000);
  }
}
