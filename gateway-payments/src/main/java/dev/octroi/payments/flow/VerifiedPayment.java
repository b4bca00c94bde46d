package dev.octroi.payments.flow;

import dev.octroi.payments.Redelivery;
import dev.octroi.payments.Sha256;
import dev.octroi.payments.Usd;
import dev.octroi.payments.account.ApiKey;
import dev.octroi.payments.facilitator.PaymentKey;
import dev.octroi.payments.facilitator.Verification;
import dev.octroi.payments.flow.Authorization.KeyCall;
import dev.octroi.payments.flow.Authorizations.AnswerForm;
import dev.octroi.payments.ledger.ClaimRequest;
import dev.octroi.payments.ledger.ClaimRequest.CallOrigin;
import dev.octroi.payments.ledger.ClaimRequest.RequestBinding;
import dev.octroi.payments.ledger.Purchases.Purchase;
import dev.octroi.payments.x402.OfferedPrice;
import dev.octroi.payments.x402.Offers;
import dev.octroi.payments.x402.PaymentPayload;
import dev.octroi.payments.x402.PaymentRequirements;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.Arrays;
import java.util.Optional;
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
 * @param trusted what the payer may have unsettled at once in millionths of a dollar, where no
 *     balance was told (money rule 8) or it asks for credit; empty elsewhere
 * @param lateFor why it buys nothing any more but what it has paid for before; null if it is good
 * @param byKey the API key's call that a managed wallet pays for; empty for a payer of its own
 */
record VerifiedPayment(
    OfferedPrice price,
    PaymentPayload payload,
    PaymentRequirements terms,
    Verification.Valid payer,
    AnswerForm form,
    OptionalLong trusted,
    @Nullable String lateFor,
    Optional<KeyCall> byKey) {

  private static final int SALT_BYTES = 16;
  private static final SecureRandom RANDOM = new SecureRandom();

  /**
   * What a payment was agreed on in its time, as the ledger has it; it buys nothing but what it has
   * paid for.
   *
   * @param offers know the decimals of its asset
   * @param lateFor why it would not be taken now
   */
  static VerifiedPayment before(
      Purchase purchase,
      Offers offers,
      OfferedPrice price,
      PaymentPayload payload,
      AnswerForm form,
      String lateFor) {
    String network = purchase.key().network();
    int decimals = offers.decimals(network, purchase.asset());
    PaymentRequirements terms =
        new PaymentRequirements(
            payload.scheme(),
            network,
            new Usd(purchase.charged()).atomicUnits(decimals),
            purchase.asset(),
            purchase.payTo(),
            0,
            null,
            decimals);
    Verification.Valid payer =
        new Verification.Valid(
            StatedKey.payer(purchase.key()),
            purchase.key().nonce(),
            Instant.EPOCH,
            OptionalLong.empty());
    return new VerifiedPayment(
        price, payload, terms, payer, form, OptionalLong.empty(), lateFor, Optional.empty());
  }

  ClaimRequest claim(RequestBinding binding, Redelivery redelivery, CallOrigin origin) {
    return new ClaimRequest(
            new PaymentKey(terms.network(), payer.account(), payer.nonce()),
            binding,
            envelopeHash(),
            terms.micros(),
            terms.asset(),
            terms.payTo(),
            payer.validBefore(),
            payer.spendable(),
            redelivery)
        .by(origin)
        .trustedWith(trusted)
        .outOf(payer.channel());
  }

  /**
   * Whether the payer is charged what was used, and not what was reserved. A channel pays for a
   * stream before it leaves, as an exact payment does.
   */
  boolean chargesUse(IncomingCall call) {
    return byKey.isPresent() || terms.isUpto() || (terms.isChannel() && !call.isStreamed());
  }

  /** Whether it is a ceiling, and the call's answer leaves before its charge is known. */
  boolean streamsUnderCeiling(IncomingCall call) {
    return terms.isUpto() && call.isStreamed();
  }

  /** The same for less, signed anew with the same nonce; empty where that cannot be. */
  Optional<VerifiedPayment> lesser(Usd charge) {
    PaymentRequirements less = terms.at(charge);
    return byKey
        .flatMap(way -> way.lesser(less, payer.nonce()))
        .map(
            signed ->
                new VerifiedPayment(price, signed, less, payer, form, trusted, lateFor, byKey));
  }

  /** The same on terms that charge this much of what a payer signed as a ceiling. */
  VerifiedPayment charging(Usd charge) {
    return new VerifiedPayment(
        price, payload, terms.at(charge), payer, form, trusted, lateFor, byKey);
  }

  /** The same, which may have so much unsettled at once. */
  VerifiedPayment trustedWith(long micros) {
    return new VerifiedPayment(
        price, payload, terms, payer, form, OptionalLong.of(micros), lateFor, byKey);
  }

  /** The key that calls; empty for a payer of its own. */
  Optional<ApiKey> key() {
    return byKey.map(KeyCall::key);
  }

  /** The payer as the ledger knows it. */
  String payerKey() {
    return PaymentKey.spelling(payer.payer());
  }

  /**
   * Only this gateway holds the envelope of a managed wallet, yet its parts are public once it is
   * settled: salted, so that a stranger cannot have its answer by putting them together (money rule
   * 4).
   */
  private String envelopeHash() {
    if (byKey.isEmpty()) {
      return Sha256.hex(payload.envelope());
    }
    byte[] salted = Arrays.copyOf(payload.envelope(), payload.envelope().length + SALT_BYTES);
    byte[] salt = new byte[SALT_BYTES];
    RANDOM.nextBytes(salt);
    System.arraycopy(salt, 0, salted, payload.envelope().length, SALT_BYTES);
    return Sha256.hex(salted);
  }
}
