package dev.octroi.payments;

import java.util.Optional;

/**
 * Decides what a call costs, given its list price: the operator's price book.
 *
 * <p>Implementations are thread-safe and do no I/O; they are asked for every paid call.
 */
@FunctionalInterface
public interface Prices {

  /** The list price, for every caller and at any time. */
  Prices LISTED = (request, list, key) -> PriceQuote.of(list);

  /**
   * What a call costs.
   *
   * @param request the call
   * @param list what its {@link Paid} annotation or {@link Tariff} says
   * @param key the id of the API key that makes it; empty for a call that pays by itself
   */
  PriceQuote quote(PricedRequest request, Usd list, Optional<String> key);
}
