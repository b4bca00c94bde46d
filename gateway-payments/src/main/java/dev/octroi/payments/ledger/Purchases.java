package dev.octroi.payments.ledger;

import dev.octroi.payments.facilitator.PaymentKey;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Finds payments for the callers who made them; those that never began to settle are not found.
 * Thread-safe; throws {@link LedgerUnavailable} when the database does not answer in time.
 */
public interface Purchases {

  Optional<Purchase> find(UUID id);

  Optional<Purchase> find(PaymentKey key);

  /**
   * The payment that was made by this very envelope; also one that a request holds and that has not
   * begun to settle.
   *
   * @param envelopeHash SHA-256 in hex
   */
  Optional<Purchase> find(PaymentKey key, String envelopeHash);

  /**
   * A payment as its payer may see it.
   *
   * @param id the payment's id
   * @param key what it is unique by
   * @param envelopeHash SHA-256 of the payment envelope in hex
   * @param state where it stands
   * @param charged atomic units that were charged or will be
   * @param asset the token's address
   * @param payTo who is paid
   * @param transaction the transaction, null where there is none yet
   * @param reason why it failed or is in doubt, null where nothing was said
   * @param method HTTP method of what was paid for
   * @param path raw path of what was paid for
   * @param query raw query, empty where there is none
   * @param delivered whether the answer has left
   * @param claimedAt when it was taken for the request
   * @param settledAt when the money had moved, null if it has not
   * @param deliveredAt when the answer left, null if it has not
   * @param apiKey the API key that paid, if one did
   */
  record Purchase(
      UUID id,
      PaymentKey key,
      String envelopeHash,
      PaymentState state,
      long charged,
      String asset,
      String payTo,
      @Nullable String transaction,
      @Nullable String reason,
      String method,
      String path,
      String query,
      boolean delivered,
      Instant claimedAt,
      @Nullable Instant settledAt,
      @Nullable Instant deliveredAt,
      Optional<UUID> apiKey) {}
}
