package dev.octroi.payments.flow;

import dev.octroi.payments.facilitator.Verification;
import dev.octroi.payments.x402.PaymentRequirements;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What came of holding a payment against one price.
 *
 * @param offer the offer that it was made for; empty where it fits none
 */
record OfferVerification(Optional<PaymentRequirements> offer, Verification verification) {

  static OfferVerification invalid(String reason) {
    return new OfferVerification(Optional.empty(), new Verification.Invalid(reason, null));
  }

  /** Whether it is good at this price, now or in its time. */
  boolean isGood() {
    return !(verification instanceof Verification.Invalid);
  }

  /** Why it buys nothing new; null if it does. */
  @Nullable String reason() {
    return reason(verification);
  }

  /** Why a payment that was verified so buys nothing new; null if it does. */
  static @Nullable String reason(Verification verification) {
    if (verification instanceof Verification.Invalid invalid) {
      return invalid.reason();
    }
    return verification instanceof Verification.Late late ? late.reason() : null;
  }

  /** The offer; only where the payment is good. */
  PaymentRequirements terms() {
    return offer.orElseThrow();
  }

  /** The payment as verified; only where it is good. */
  Verification.Valid payment() {
    return verification instanceof Verification.Late late
        ? late.payment()
        : (Verification.Valid) verification;
  }
}
