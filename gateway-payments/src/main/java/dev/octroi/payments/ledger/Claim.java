package dev.octroi.payments.ledger;

import dev.octroi.payments.Sha256;
import dev.octroi.payments.facilitator.PaymentKey;
import java.nio.charset.StandardCharsets;
import java.util.UUID;

/**
 * A reserved payment, held by this node for one attempt. Every later statement names all of it
 * (money rule 1), so that a node which lost its claim can do nothing with it any more.
 *
 * @param id the payment's id, 128 random bits
 * @param attempt how often the payment has been claimed, from 1
 * @param key what the payment is unique by
 * @param amount atomic units
 */
public record Claim(UUID id, int attempt, PaymentKey key, long amount) {

  /**
   * Names this attempt to those who settle it: the same on every node and after a restart, 64
   * digits in hex. Who does not know the payment's id cannot guess it.
   */
  public String attemptName() {
    return attemptName(id, attempt);
  }

  /** The same for a claim that this node does not hold. */
  public static String attemptName(UUID id, int attempt) {
    return Sha256.hex(("settle " + id + " " + attempt).getBytes(StandardCharsets.US_ASCII));
  }
}
