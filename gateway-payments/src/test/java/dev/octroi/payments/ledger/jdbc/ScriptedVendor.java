package dev.octroi.payments.ledger.jdbc;

import dev.octroi.payments.effect.EffectVendor;
import dev.octroi.payments.effect.EffectVendor.Attempt;
import dev.octroi.payments.ledger.Effects.Effect;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.jdbi.v3.core.Handle;

/** A vendor of numbers that answers as the test says, and writes what was bought. */
final class ScriptedVendor implements EffectVendor {

  final AtomicInteger attempts = new AtomicInteger();
  final List<Effect> asked = new CopyOnWriteArrayList<>();
  Function<Effect, Attempt> onAttempt = effect -> new Attempt.Unknown();
  Function<Effect, Attempt> onAsk = effect -> new Attempt.Unknown();

  boolean down;

  @Override
  public void requireReachable() {
    if (down) {
      throw new IllegalStateException("the vendor is down");
    }
  }

  @Override
  public String kind() {
    return "number";
  }

  @Override
  public Attempt attempt(Effect effect) {
    attempts.incrementAndGet();
    return onAttempt.apply(effect);
  }

  @Override
  public Attempt ask(Effect effect) {
    asked.add(effect);
    return onAsk.apply(effect);
  }

  @Override
  public void record(Handle handle, Effect effect, Attempt.Done done) {
    handle.execute(
        "INSERT INTO bought (id, reference) VALUES (?, ?)", effect.id(), done.reference());
  }
}
