package dev.octroi.payments.ledger.jdbc;

import dev.octroi.payments.Redelivery;
import dev.octroi.payments.facilitator.PaymentKey;
import dev.octroi.payments.ledger.Claim;
import dev.octroi.payments.ledger.ClaimRequest;
import dev.octroi.payments.ledger.ClaimRequest.RequestBinding;
import dev.octroi.payments.ledger.KeyBytes;
import dev.octroi.payments.ledger.Owner;
import dev.octroi.payments.ledger.PaymentState;
import java.time.Instant;
import java.util.Arrays;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What stands in the database of a payment that is no new one.
 *
 * @param answering whether a call of its owner is at work on its answer: from the commit that
 *     begins to settle, or that has the answer repeated, until the answer was delivered or
 *     certainly was not (column {@code rerunning}, which versions before this one set for repeats
 *     alone)
 * @param reruns how often it was run again; of a payment that is not read again, above zero once
 *     its first call has ended without delivery
 */
record PaymentRow(
    UUID id,
    PaymentKey key,
    PaymentState state,
    int attempt,
    Owner owner,
    RequestBinding binding,
    byte[] envelopeHash,
    long amount,
    @Nullable String transaction,
    @Nullable String reason,
    Instant claimedAt,
    @Nullable Instant settledAt,
    boolean delivered,
    boolean answering,
    int reruns,
    boolean sent,
    Redelivery redelivery,
    Optional<UUID> apiKey) {

  /** Whether this is the byte-identical envelope for the same request (money rule 4). */
  boolean isFor(ClaimRequest request) {
    return binding.equals(request.binding())
        && Arrays.equals(envelopeHash, KeyBytes.hash(request.envelopeHash()));
  }

  /**
   * Whether proof may still move it there: an unresolved payment may end either way, except one
   * that a living call is settling; one that ended uncharged may turn out to have been paid.
   */
  boolean isOpenTo(PaymentState target) {
    return switch (state) {
      case IN_DOUBT -> true;
      case SETTLING -> sent;
      case FAILED, RELEASED -> target == PaymentState.SETTLED;
      case CLAIMED, SETTLED -> false;
    };
  }

  /** The claim as it stands. */
  Claim claim() {
    return new Claim(id, attempt, key, amount);
  }

  /** The claim of the attempt after this one. */
  Claim next() {
    return new Claim(id, attempt + 1, key, amount);
  }

  /** When it settled; as long as its transaction is on its way, when it was claimed. */
  Instant paidAt() {
    return settledAt == null ? claimedAt : settledAt;
  }

  String transactionOrEmpty() {
    return transaction == null ? "" : transaction;
  }
}
