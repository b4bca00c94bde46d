package dev.octroi.api.operator;

import dev.octroi.api.house.Refused;
import dev.octroi.payments.effect.Attempt;
import dev.octroi.payments.effect.EffectRunner;
import dev.octroi.payments.ledger.Effects;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the operator may do about effects whose end the gateway does not know: look at them, and
 * close them with what the vendor told by other ways (money rule 6).
 *
 * @param effects the ledger's
 * @param runners by the kind of effect; empty for a kind that nothing here does
 */
public record EffectEnds(Effects effects, Function<String, Optional<EffectRunner>> runners) {

  private static final Logger LOG = LoggerFactory.getLogger("dev.octroi.operator");

  /** Closes an effect. 404 if there is none, 409 if it is closed or its call is not over. */
  void close(UUID id, Attempt told, String reason) {
    Effects.Effect effect = find(id);
    EffectRunner runner =
        runners
            .apply(effect.kind())
            .orElseThrow(() -> Refused.of(409, "Nothing here does effects of this kind."));
    if (!runner.closeByHand(effect, told, reason)) {
      throw Refused.of(409, "The effect is closed already, or its call is not over yet.");
    }
    LOG.info("Effect {} was closed by hand: {}", id, reason.replaceAll("\\p{Cntrl}", " "));
  }

  Effects.Effect find(UUID id) {
    return effects.find(id).orElseThrow(() -> Refused.unknown("There is no effect with this id."));
  }
}
