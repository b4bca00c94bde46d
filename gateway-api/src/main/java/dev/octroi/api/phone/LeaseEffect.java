package dev.octroi.api.phone;

import dev.octroi.api.phone.LeaseChanges.Change;
import dev.octroi.payments.effect.Attempt;
import dev.octroi.payments.effect.EffectVendor;
import dev.octroi.payments.ledger.Effects.Effect;
import java.util.Locale;
import java.util.UUID;
import org.jdbi.v3.core.Handle;

/** A change of a lease as an effect whose vendor is our own database. Thread-safe. */
final class LeaseEffect implements EffectVendor {

  private final Change change;
  private final LeaseChanges changes;

  LeaseEffect(Change change, LeaseChanges changes) {
    this.change = change;
    this.changes = changes;
  }

  @Override
  public String kind() {
    return "lease-" + change.name().toLowerCase(Locale.ROOT);
  }

  @Override
  public Attempt attempt(Effect effect) {
    return changes.make(effect.id(), UUID.fromString(effect.intent()), change);
  }

  @Override
  public Attempt ask(Effect effect) {
    return changes.madeOrNever(effect.id(), UUID.fromString(effect.intent()));
  }

  @Override
  public void record(Handle handle, Effect effect, Attempt.Done done) {
    // The change wrote itself down.
  }
}
