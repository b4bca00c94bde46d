package dev.octroi.payments.ledger;

import dev.octroi.payments.facilitator.PaymentKey;
import dev.octroi.payments.ledger.ClaimRequest.RequestBinding;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * Looks up what payment identifiers were used for (the protocol's extension payment-identifier);
 * they are written down by {@link Ledger#claim}. Thread-safe; throws {@link LedgerUnavailable} when
 * the database does not answer in time.
 */
public interface Identifiers {

  /**
   * The uses of an identifier that concern a payment that is not verified yet: by the very same
   * envelope, or by the payer that it names.
   *
   * @param network CAIP-2 id
   * @param envelopeHash SHA-256 of the envelope in hex
   * @param payer whom the envelope names as its payer; empty where that is not to be seen
   */
  List<IdentifierUse> uses(
      String network, String identifier, String envelopeHash, Optional<String> payer);

  /**
   * The latest payment by which a payer, signing for itself, has bought the answer to this very
   * request, if the answer is kept for those who sign in and the payment was not given back.
   *
   * @param networks where the payer may have paid, CAIP-2 ids
   * @param payer the payer's address
   */
  Optional<IdentifierUse> bought(Collection<String> networks, String payer, RequestBinding binding);

  /** The answer that a payment bought; empty if it was not kept or not for so long. */
  Optional<StoredAnswer> answer(UUID payment);

  /**
   * What a payment identifier was used for first, and what became of that payment.
   *
   * @param payment the payment's id
   * @param key what the payment is unique by
   * @param envelopeHash SHA-256 of the payment envelope in hex
   * @param bindingHash {@link ClaimRequest.RequestBinding#hash} of the request that it paid for
   * @param state where the payment stands
   * @param sent whether its answer may leave while it still settles
   * @param charged atomic units that were charged or will be
   * @param asset the token's address
   * @param transaction the transaction, empty where there is none yet
   * @param delivered whether the answer has left
   * @param answerBytes how long the answer is that is kept, with its headers; 0 where none is
   */
  record IdentifierUse(
      UUID payment,
      PaymentKey key,
      String envelopeHash,
      String bindingHash,
      PaymentState state,
      boolean sent,
      long charged,
      String asset,
      String transaction,
      boolean delivered,
      long answerBytes) {

    /** Whether its answer was paid for. */
    public boolean isPaid() {
      return state == PaymentState.SETTLED || (state == PaymentState.SETTLING && sent);
    }
  }
}
