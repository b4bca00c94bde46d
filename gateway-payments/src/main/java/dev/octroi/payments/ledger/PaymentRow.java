package dev.octroi.payments.ledger;

import dev.octroi.payments.Redelivery;
import dev.octroi.payments.facilitator.PaymentKey;
import java.time.Instant;
import java.util.Arrays;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What stands in the database of a payment that could not simply be claimed. */
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
    @Nullable Instant settledAt,
    boolean delivered,
    boolean rerunning,
    boolean sent,
    Redelivery redelivery,
    Optional<UUID> apiKey) {

  /** Whether this is the byte-identical envelope for the same request (money rule 4). */
  boolean isFor(ClaimRequest request) {
    return binding.equals(request.binding())
        && Arrays.equals(envelopeHash, KeyBytes.hash(request.envelopeHash()));
  }

  /**
   * Whether proof may still move it there: what is undecided, but for what a living call is
   * settling, and what ended uncharged and turns out to have been paid.
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

  String transactionOrEmpty() {
    return transaction == null ? "" : transaction;
  }

  String reasonOr(String unstated) {
    return reason == null ? unstated : reason;
  }
}
