package dev.octroi.api.discovery;

import dev.octroi.api.catalogue.Operation;
import dev.octroi.payments.Usd;
import dev.octroi.payments.x402.PaymentRequirements;
import java.time.Instant;
import java.util.List;

/**
 * An operation that can be bought now.
 *
 * @param price what it costs; where that depends on the request, what its example costs
 * @param accepts the ways to pay that; never empty
 * @param since when something about it changed last
 */
public record PricedOperation(
    Operation operation, Usd price, List<PaymentRequirements> accepts, Instant since) {

  public PricedOperation {
    accepts = List.copyOf(accepts);
  }

  /** Whether every call costs the same. */
  public boolean isFixed() {
    return operation.row().list().isPresent();
  }

  /** The absolute address, parameters in the path marked by colons. */
  String address(String base) {
    return base + operation.routeTemplate();
  }

  boolean isPaidTo(String recipient) {
    return accepts.stream().anyMatch(offer -> offer.payTo().equalsIgnoreCase(recipient));
  }

  boolean isPaidBy(String scheme) {
    return accepts.stream().anyMatch(offer -> offer.scheme().equals(scheme));
  }

  boolean isPaidOn(String network) {
    return accepts.stream().anyMatch(offer -> offer.network().equals(network));
  }
}
