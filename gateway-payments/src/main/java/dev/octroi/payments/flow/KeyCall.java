package dev.octroi.payments.flow;

import dev.octroi.payments.account.ApiKey;
import dev.octroi.payments.account.ManagedWallet;
import dev.octroi.payments.x402.PaymentEnvelopes;
import dev.octroi.payments.x402.PaymentPayload;
import dev.octroi.payments.x402.PaymentRequired;
import dev.octroi.payments.x402.PaymentRequirements;
import java.util.Optional;

/**
 * A managed wallet's way to pay for a call of its account's key.
 *
 * @param challenge what the call would be answered without payment
 * @param offer the entry of {@code accepts} to pay by
 */
record KeyCall(
    ApiKey key, ManagedWallet wallet, PaymentRequired challenge, PaymentRequirements offer) {

  /**
   * Signs a payment of less in place of one that never left this gateway, with its nonce; empty
   * where the chain has no such thing.
   */
  Optional<PaymentPayload> lesser(PaymentRequirements terms, String nonce) {
    return wallet
        .signer()
        .payload(terms, nonce)
        .map(payload -> PaymentEnvelopes.write(challenge.resource(), terms, payload))
        .map(PaymentEnvelopes::read);
  }

  /** Signs a payment, exactly as a payer would who was challenged. */
  PaymentPayload payment() {
    return PaymentEnvelopes.read(wallet.signer().sign(challenge, offer));
  }
}
