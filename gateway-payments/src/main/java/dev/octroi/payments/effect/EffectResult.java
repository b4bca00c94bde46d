package dev.octroi.payments.effect;

import dev.octroi.payments.ledger.Effects;
import dev.octroi.payments.ledger.Refund;
import java.util.Optional;

/** What came of an effect that was paid for. */
public sealed interface EffectResult {

  /**
   * It was done, by this call or by an earlier one of the same payment.
   *
   * @param reference the vendor's id of it
   * @param details what else is known of it
   * @param transaction what paid for it
   */
  record Done(Effects.Effect effect, String reference, String details, String transaction)
      implements EffectResult {}

  /**
   * It certainly was not done, and what was paid goes back.
   *
   * @param refund paid or owed; empty while the payment's transaction is not final, after which the
   *     refund is noted
   */
  record Failed(String reason, Optional<Refund> refund) implements EffectResult {}

  /** Not known yet: 503 with {@code Retry-After}, "send the same again". */
  record Unknown() implements EffectResult {}
}
