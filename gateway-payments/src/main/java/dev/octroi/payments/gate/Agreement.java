package dev.octroi.payments.gate;

import dev.octroi.payments.Redelivery;
import dev.octroi.payments.Usd;
import dev.octroi.payments.facilitator.Verification;
import dev.octroi.payments.ledger.ClaimRequest;
import dev.octroi.payments.ledger.PaymentKey;
import dev.octroi.payments.ledger.RequestBinding;
import dev.octroi.payments.x402.PaymentPayload;
import dev.octroi.payments.x402.PaymentRequirements;
import java.util.Locale;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * What a payer signed and a facilitator verified.
 *
 * @param price what the call costs now; a payment for the former price pays what its terms say
 * @param payload the payment as it came
 * @param terms the offer it was matched with
 * @param payer who pays, as verified
 * @param form how its client reads the answer
 * @param trusted what the payer may have unsettled at once in atomic units, where nobody told a
 *     balance (money rule 8); empty where somebody did
 * @param lateFor why it buys nothing any more but what it has paid for before; null if it is good
 */
record Agreement(
    Usd price,
    PaymentPayload payload,
    PaymentRequirements terms,
    Verification.Valid payer,
    AnswerForm form,
    OptionalLong trusted,
    @Nullable String lateFor) {

  ClaimRequest claim(RequestBinding binding, Redelivery redelivery) {
    return new ClaimRequest(
        new PaymentKey(terms.network(), key(payer.payer()), key(payer.nonce())),
        binding,
        Sha256.hex(payload.envelope()),
        Long.parseLong(terms.amount()),
        terms.asset(),
        terms.payTo(),
        payer.validBefore(),
        payer.spendable().isPresent() ? payer.spendable() : trusted,
        redelivery);
  }

  /** Hex has two spellings of one payer; a base58 address has one. */
  private static String key(String address) {
    return address.startsWith("0x") ? address.toLowerCase(Locale.ROOT) : address;
  }
}
