package dev.octroi.payments.ledger;

import org.jspecify.annotations.Nullable;

/**
 * Why a payment was given back uncharged, for the operator. Written with the release.
 *
 * @param status HTTP status of the answer that was not charged; null if no call was answered
 * @param reason a word or a sentence, of which the ledger keeps 200 characters; null if unknown
 * @param upstream the name of the upstream that was asked last, of which it keeps 64; null if none
 */
public record ReleaseReason(
    @Nullable Integer status, @Nullable String reason, @Nullable String upstream) {

  /** Says nothing. */
  public static final ReleaseReason NONE = new ReleaseReason(null, null, null);

  /** A reason for which no call was answered. */
  public static ReleaseReason of(@Nullable String reason) {
    return new ReleaseReason(null, reason, null);
  }
}
