package dev.octroi.payments.flow;

import dev.octroi.payments.Admission;
import dev.octroi.payments.account.ApiKey;
import dev.octroi.payments.account.ManagedWallet;
import dev.octroi.payments.flow.Authorizations.OrderedWork;
import dev.octroi.payments.flow.Authorizations.PayerSignature;
import dev.octroi.payments.flow.Authorizations.SignedInReader;
import dev.octroi.payments.ledger.ClaimResult;
import dev.octroi.payments.x402.PaymentPayload;
import dev.octroi.payments.x402.PaymentRequired;
import dev.octroi.payments.x402.PaymentRequirements;
import java.util.Iterator;
import java.util.Optional;

/**
 * A way in which a caller authorizes a call: by a payer's signature, by the wallets of an API key's
 * account, or by what was submitted when the work was ordered. Used by one thread.
 */
sealed interface Authorization permits PayerSignature, ManagedWallets, OrderedWork, SignedInReader {

  /** Who is counted among the calls that pay. */
  default Admission.Caller caller() {
    return Admission.Caller.payer(owner());
  }

  /** Who owns what the call makes; see {@link dev.octroi.payments.Payment#owner}. */
  String owner();

  /** What the payer calls the payment; empty where it has no identifier. */
  default Optional<String> identifier() {
    return Optional.empty();
  }

  /**
   * The verified payments, in the order in which they are claimed; each is verified when it is
   * asked for.
   */
  Iterator<VerifiedPayment> payments();

  /** Whether the next payment is to be claimed, as the claim of this one ended so. */
  default boolean givesWay(VerifiedPayment payment, ClaimResult result) {
    return false;
  }

  /** Whether the method runs without payment, because its answer was paid for before. */
  default boolean isPaidBefore() {
    return false;
  }

  /** Why no payment is left to claim, in the protocol's words. */
  String reason();

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
          .map(payload -> PaymentPayload.header(challenge.resource(), terms, payload))
          .map(PaymentPayload::read);
    }

    /** Signs a payment, exactly as a payer would who was challenged. */
    PaymentPayload payment() {
      return PaymentPayload.read(wallet.signer().sign(challenge, offer));
    }
  }
}
