package dev.octroi.api.receipt;

import dev.octroi.api.house.Mounted;
import dev.octroi.payments.account.Accounts;
import dev.octroi.payments.account.ApiKey;
import dev.octroi.payments.evm.ReceiptSigner;
import dev.octroi.payments.ledger.Purchase;
import dev.octroi.payments.ledger.Purchases;
import dev.octroi.payments.setup.Payments;
import jakarta.ws.rs.core.MultivaluedMap;
import jakarta.ws.rs.ext.Providers;
import java.net.URI;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * What the receipts' resource works with.
 *
 * @param signer signs receipts; empty where they go unsigned
 * @param publicUrl below which the world reaches the gateway, if that was set
 */
public record ReceiptServices(
    Sales sales, Optional<ReceiptSigner> signer, Optional<URI> publicUrl, Clock clock) {

  /** Payments, as those find them who made them. */
  public record Sales(Payments payments, Purchases purchases, Accounts accounts) {

    /** The payment that the same payment header made. */
    Optional<Purchase> ofPayer(String id, MultivaluedMap<String, String> headers) {
      return payments.purchase(id, name -> headers.getOrDefault(name, List.of()));
    }

    /** The payment of this id, by any key of the account; it has no index by transaction. */
    Optional<Purchase> ofAccount(String id, ApiKey asking) {
      return uuid(id)
          .flatMap(purchases::find)
          .filter(
              purchase ->
                  purchase
                      .apiKey()
                      .flatMap(accounts::key)
                      .filter(paying -> paying.account().equals(asking.account()))
                      .isPresent());
    }

    private static Optional<UUID> uuid(String id) {
      try {
        return Optional.of(UUID.fromString(id));
      } catch (IllegalArgumentException e) {
        return Optional.empty();
      }
    }
  }

  /**
   * The services that are mounted in an application.
   *
   * @throws IllegalStateException if no gateway is mounted there
   */
  static ReceiptServices of(Providers providers) {
    return Mounted.of(providers, ReceiptServices.class);
  }
}
