package dev.octroi.payments.flow;

import dev.octroi.payments.Redelivery;
import dev.octroi.payments.Settle;
import dev.octroi.payments.Tariff;

/**
 * What is sold under a price: a resource method, or whatever answers below a path.
 *
 * @param name for logs, such as class and method
 * @param tariff computes the price; a fixed price is a constant tariff
 */
public record PaidEndpoint(String name, Tariff tariff, Settle settle, Redelivery redelivery) {

  /** Throws {@link IllegalArgumentException} if the answer cannot be given again in that way. */
  public PaidEndpoint {
    if (settle == Settle.BEFORE && redelivery == Redelivery.REREAD) {
      throw new IllegalArgumentException(
          name + " settles before an effect, so it cannot be run again as a REREAD");
    }
    if (settle == Settle.LATER && redelivery != Redelivery.STORED) {
      throw new IllegalArgumentException(name + " settles later, so its answer has to be STORED");
    }
  }
}
