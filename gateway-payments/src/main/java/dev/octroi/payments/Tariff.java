package dev.octroi.payments;

/**
 * Computes the price of a call from the request alone.
 *
 * <p>Implementations are thread-safe and do no I/O. They have a public constructor without
 * parameters, or are handed to {@code Payments.Builder#tariff}. A request that has no price
 * (unknown model, unknown path) is refused by throwing {@link CallRefused}, or in JAX-RS what the
 * application maps to an answer; it is then answered without a challenge.
 */
@FunctionalInterface
public interface Tariff {

  /** The price of this request; {@link Usd#ZERO} runs it without payment. */
  Usd price(PricedRequest request);
}
