package dev.octroi.payments.facilitator;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The payments whose end is not known yet, for those who can prove it: the reconciler with the
 * chain's evidence, or an operator. Thread-safe; throws {@link
 * dev.octroi.payments.ledger.LedgerUnavailable}.
 */
public interface UnresolvedPayments {

  /** Those in doubt and those on their way since before a moment, the oldest first. */
  List<UnresolvedPayment> since(Instant before, int max);

  /** Those that are to be looked at by now, the longest due first. */
  List<UnresolvedPayment> due(Instant now, int max);

  /** Nothing is certain of one yet: it is due again at this moment. */
  void later(UnresolvedPayment payment, Instant at);

  /** One payment that proof could still move: unresolved, FAILED or RELEASED. */
  Optional<UnresolvedPayment> find(UUID payment);

  /**
   * Closes one with proof: SETTLED or FAILED, which are final but for FAILED → SETTLED with proof
   * (x402, rules for an uncertain outcome). A RELEASED one whose money has moved settles so too.
   *
   * @param proof {@link Settlement.Settled} or {@link Settlement.Refused}
   * @return false if it was closed or claimed by another attempt before
   */
  boolean close(UnresolvedPayment payment, Settlement proof);

  /**
   * A payment that has begun to settle and whose end is not known yet.
   *
   * @param id the payment's id
   * @param attempt the attempt that began to settle
   * @param key what the payment is unique by
   * @param asset the token's address
   * @param payTo the recipient
   * @param amount atomic units
   * @param validBefore when the authorization expires
   * @param since when it became unresolved
   * @param transaction the hash that was last heard of; null if none was
   * @param sent whether its answer has left on a transaction that is on its way, rather than being
   *     in doubt
   */
  record UnresolvedPayment(
      UUID id,
      int attempt,
      PaymentKey key,
      String asset,
      String payTo,
      long amount,
      Instant validBefore,
      Instant since,
      @Nullable String transaction,
      boolean sent) {}
}
