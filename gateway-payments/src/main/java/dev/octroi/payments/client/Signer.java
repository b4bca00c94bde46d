package dev.octroi.payments.client;

import dev.octroi.payments.x402.PaymentPayload;
import dev.octroi.payments.x402.PaymentRequired;
import dev.octroi.payments.x402.PaymentRequirements;
import java.util.Map;
import java.util.Optional;

/** Signs payments for one account on one kind of chain. Thread-safe. */
public interface Signer {

  /** The account that pays, in its chain's form. */
  String account();

  /** Whether an offer is of this signer's scheme and kind of chain. */
  boolean signs(PaymentRequirements offer);

  /**
   * The scheme's own object of a new payment; every call makes another payment.
   *
   * @param chosen the entry of {@code accepts} to pay by
   * @throws IllegalArgumentException if {@link #signs} does not hold for it
   * @throws java.io.UncheckedIOException if a chain had to be asked and did not answer
   */
  Map<String, Object> payload(PaymentRequirements chosen);

  /**
   * The payload of a payment that takes the place of one which never left its payer: with the same
   * nonce, so that at most one of the two can ever move money.
   *
   * @param nonce 0x and 64 hex digits
   * @return empty where the chain's payments have no nonce of the payer's choice
   */
  default Optional<Map<String, Object>> payload(PaymentRequirements chosen, String nonce) {
    return Optional.empty();
  }

  /**
   * A new payment for a challenge.
   *
   * @param challenge what the server said
   * @param chosen the entry of {@code accepts} to pay by
   * @return the value of the payment header
   */
  default String sign(PaymentRequired challenge, PaymentRequirements chosen) {
    return PaymentPayload.header(challenge, chosen, payload(chosen));
  }
}
