package dev.octroi.payments.solana;

import dev.octroi.payments.facilitator.PaymentKey;
import dev.octroi.payments.solana.WireReader.MalformedTransaction;
import dev.octroi.payments.x402.PaymentPayload;
import java.util.Optional;

/** Payments on Solana as far as they can be told without judging them. */
public final class SolanaPayments {

  private SolanaPayments() {}

  /**
   * What a payment is unique by: who authorises its transfer, and the hash of its message. Nothing
   * is verified; empty where it carries no transaction with a transfer, or is of another chain.
   */
  public static Optional<PaymentKey> key(PaymentPayload payment) {
    String text = payment.payload().path("transaction").asText();
    if (!SolanaToken.isSolana(payment.network()) || text.isEmpty()) {
      return Optional.empty();
    }
    try {
      SolanaTransaction transaction = SolanaTransaction.readBase64(text);
      return ExactSolanaVerifier.transfer(transaction.message())
          .map(
              transfer ->
                  new PaymentKey(
                      payment.network(),
                      transfer.authority().toString(),
                      transaction.messageHash()));
    } catch (MalformedTransaction e) {
      return Optional.empty();
    }
  }
}
