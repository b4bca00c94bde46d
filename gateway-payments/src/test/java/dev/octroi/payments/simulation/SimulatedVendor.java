package dev.octroi.payments.simulation;

import dev.octroi.payments.effect.EffectVendor;
import dev.octroi.payments.effect.EffectVendor.Attempt;
import dev.octroi.payments.ledger.Effects;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import org.jdbi.v3.core.Handle;

/** Does what cannot be undone, forgets to say so, and is called by nodes that die meanwhile. */
final class SimulatedVendor implements EffectVendor {

  /** The node that is at work dies here. */
  static final class Killed extends Error {
    private static final long serialVersionUID = 1L;
  }

  private final Random random;
  private final Map<UUID, Integer> done = new HashMap<>();
  private final Set<UUID> calledOff = new HashSet<>();
  private boolean calm;

  SimulatedVendor(Random random) {
    this.random = random;
  }

  /** All goes well from now on. */
  void calm() {
    calm = true;
  }

  /** How often it was done for a payment. */
  int done(UUID payment) {
    return done.getOrDefault(payment, 0);
  }

  /** Perhaps the node dies at this point. */
  void mayKill() {
    if (!calm && random.nextInt(8) == 0) {
      throw new Killed();
    }
  }

  @Override
  public String kind() {
    return "effect";
  }

  @Override
  public Attempt attempt(Effects.Effect effect) {
    mayKill();
    if (calledOff.contains(effect.id()) || chance(6)) {
      return new Attempt.NotDone("none left");
    }
    done.merge(effect.payment(), 1, Integer::sum);
    mayKill();
    return chance(5) ? new Attempt.Unknown() : new Attempt.Done("done", "");
  }

  @Override
  public Attempt ask(Effects.Effect effect) {
    mayKill();
    if (chance(4)) {
      return new Attempt.Unknown();
    }
    if (done.containsKey(effect.payment())) {
      return new Attempt.Done("done", "");
    }
    calledOff.add(effect.id());
    return new Attempt.NotDone("never heard of it");
  }

  @Override
  public void record(Handle handle, Effects.Effect effect, Attempt.Done told) {}

  private boolean chance(int of) {
    return !calm && random.nextInt(of) == 0;
  }
}
