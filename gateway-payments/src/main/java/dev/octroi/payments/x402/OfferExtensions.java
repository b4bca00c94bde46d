package dev.octroi.payments.x402;

import java.util.List;

/** What a challenge says besides about the very offers that it makes. Thread-safe. */
@FunctionalInterface
public interface OfferExtensions {

  /** Nothing. */
  OfferExtensions NONE = (resourceUrl, accepts) -> Extensions.NONE;

  /**
   * Extensions beside the common ones, of other names; in the header only where they fit.
   *
   * @param resourceUrl what is to be paid for
   * @param accepts the offers, in their order
   */
  Extensions of(String resourceUrl, List<PaymentRequirements> accepts);
}
