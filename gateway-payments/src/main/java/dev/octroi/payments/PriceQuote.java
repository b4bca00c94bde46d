package dev.octroi.payments;

import java.util.Optional;

/**
 * What a call costs now, and what it cost before the last change of prices.
 *
 * @param price what is asked now; {@link Usd#ZERO} runs the call without payment
 * @param former another price that was asked before; empty if there was none
 * @param formerBuys whether a payment for the former price is still taken; if not, it gets only
 *     what it has paid for before
 */
public record PriceQuote(Usd price, Optional<Usd> former, boolean formerBuys) {

  /** Throws {@link IllegalArgumentException} if the former price is no other, or no price. */
  public PriceQuote {
    if (former.filter(other -> other.isZero() || other.equals(price)).isPresent()) {
      throw new IllegalArgumentException("a former price is above zero and another one");
    }
  }

  /** A price that has not changed as far as a payer may remember. */
  public static PriceQuote of(Usd price) {
    return new PriceQuote(price, Optional.empty(), false);
  }
}
