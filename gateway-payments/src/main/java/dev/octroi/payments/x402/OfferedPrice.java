package dev.octroi.payments.x402;

import dev.octroi.payments.Usd;

/**
 * What a call is offered at.
 *
 * @param amount the price, or the most that is charged; above zero where something is offered
 * @param isCeiling whether the charge is known only afterwards, so that payers may sign a ceiling
 *     (scheme {@code upto})
 */
public record OfferedPrice(Usd amount, boolean isCeiling) {

  /** A price that is charged as it is. */
  public static OfferedPrice of(Usd price) {
    return new OfferedPrice(price, false);
  }
}
