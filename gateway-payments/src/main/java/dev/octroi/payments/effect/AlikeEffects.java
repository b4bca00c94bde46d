package dev.octroi.payments.effect;

import dev.octroi.payments.ledger.Effects;
import dev.octroi.payments.ledger.Effects.Effect;
import dev.octroi.payments.ledger.Effects.Outcome;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Tells effects of one kind and intent apart where their vendor does not, such as two texts of the
 * same words to the same number: what one payment's effect is known to have done proves no other's.
 * Thread-safe.
 *
 * @param effects where they are noted
 * @param over how long after its noting nothing of an effect can be on its way any more
 */
public record AlikeEffects(Effects effects, Duration over, Clock clock) {

  /**
   * What is known of the others.
   *
   * @param done the vendor's ids of what they did
   * @param open whether what the vendor tells may be another's, which must be closed before
   */
  public record Others(Set<String> done, boolean open) {

    public Others {
      done = Set.copyOf(done);
    }
  }

  /**
   * The others, after the vendor has told what there is: whatever it told of was noted before. Of
   * those that are open the older ones go first, and those whose call may be under way yet.
   */
  public Others of(Effect effect) {
    List<Effect> alike = effects.alike(effect, effect.begun().minus(over));
    Set<String> done =
        alike.stream()
            .filter(other -> other.outcome() == Outcome.DONE)
            .map(Effect::vendorReference)
            .collect(Collectors.toSet());
    Instant calls = clock.instant().minus(over);
    boolean open =
        alike.stream()
            .filter(other -> other.outcome() == Outcome.UNKNOWN)
            .anyMatch(other -> other.begun().isAfter(calls) || isOlder(other, effect));
    return new Others(done, open);
  }

  private static boolean isOlder(Effect other, Effect effect) {
    int times = other.begun().compareTo(effect.begun());
    return times < 0 || (times == 0 && other.id().compareTo(effect.id()) < 0);
  }
}
