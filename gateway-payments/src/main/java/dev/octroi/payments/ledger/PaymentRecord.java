package dev.octroi.payments.ledger;

import dev.octroi.payments.facilitator.PaymentKey;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A payment as it stands, for people to look at; times are null as long as nothing happened.
 *
 * @param id the payment's id
 * @param key what it is unique by
 * @param state in upper case, as in the money rules
 * @param attempt how often it was claimed
 * @param method of the request that it paid for
 * @param path of that request
 * @param amount atomic units that it is for
 * @param charged what an API key was charged if that is less; null if not
 * @param asset the token's address
 * @param payTo the recipient
 * @param apiKey who signed by key; null for one who signed himself
 * @param group the group of endpoints; null where the host names none
 * @param requestId of the answer that was paid for
 * @param transaction the hash, as far as it is known
 * @param reason why it failed, or is in doubt
 * @param doubtSince since when it has been listed as unresolved; null if it is not
 * @param delivered whether its answer has left
 * @param times when what happened
 */
public record PaymentRecord(
    UUID id,
    PaymentKey key,
    String state,
    int attempt,
    String method,
    String path,
    long amount,
    @Nullable Long charged,
    String asset,
    String payTo,
    @Nullable UUID apiKey,
    @Nullable String group,
    @Nullable String requestId,
    @Nullable String transaction,
    @Nullable String reason,
    @Nullable Instant doubtSince,
    boolean delivered,
    Times times) {

  /**
   * When what happened to a payment.
   *
   * @param claimed its last attempt began
   * @param settling its answer was about to be charged
   * @param settled the money had moved
   * @param delivered the answer had left
   * @param closed it was released or had failed
   * @param validBefore the authorization expires
   */
  public record Times(
      Instant claimed,
      @Nullable Instant settling,
      @Nullable Instant settled,
      @Nullable Instant delivered,
      @Nullable Instant closed,
      Instant validBefore) {}
}
