package dev.octroi.api.route;

import dev.octroi.payments.effect.EffectVendor;
import dev.octroi.payments.ledger.Effects.Effect;
import org.jdbi.v3.core.Handle;

/**
 * Calls of routes that are paid for before the server is asked. A call's own request is known to
 * the call alone: what it did not live to answer gave the payer nothing, whatever the server did.
 */
final class RouteVendor implements EffectVendor {

  static final String KIND = "route";

  @Override
  public String kind() {
    return KIND;
  }

  @Override
  public Attempt attempt(Effect effect) {
    return ask(effect);
  }

  @Override
  public Attempt ask(Effect effect) {
    return new Attempt.NotDone("no answer of the server's came");
  }

  @Override
  public void record(Handle handle, Effect effect, Attempt.Done done) {}
}
