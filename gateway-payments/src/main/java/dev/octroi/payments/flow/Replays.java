package dev.octroi.payments.flow;

import dev.octroi.payments.CallRefused;
import dev.octroi.payments.HttpAnswer;
import dev.octroi.payments.Sha256;
import dev.octroi.payments.SignedInWallet;
import dev.octroi.payments.Usd;
import dev.octroi.payments.chain.ChainFamily;
import dev.octroi.payments.evm.EvmPayments;
import dev.octroi.payments.flow.Authorizations.AnswerForm;
import dev.octroi.payments.ledger.Identifiers.IdentifierUse;
import dev.octroi.payments.ledger.Ledger;
import dev.octroi.payments.ledger.StoredAnswer;
import dev.octroi.payments.x402.Offers;
import dev.octroi.payments.x402.PaymentIdentifier;
import dev.octroi.payments.x402.PaymentIdentifier.IdentifierPolicy;
import dev.octroi.payments.x402.PaymentPayload;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * Answers payments that their payer calls by an identifier, before a facilitator verifies them: one
 * that has settled would fail. As the caller has not proven to be the payer yet, an answer is given
 * to the byte-identical envelope for the same request alone (money rule 4).
 */
record Replays(Ledger ledger, IdentifierPolicy policy, Offers offers, Receipts receipts) {

  Replays(FlowSettings settings, Receipts receipts) {
    this(settings.ledger(), settings.protocol().identifiers(), settings.offers(), receipts);
  }

  /**
   * The identifier that counts. Throws {@link CallRefused} if one is required and missing, {@link
   * dev.octroi.payments.x402.MalformedPayment} if it has another form.
   */
  Optional<String> identifier(PaymentPayload payload) {
    if (policy == IdentifierPolicy.OFF) {
      return Optional.empty();
    }
    Optional<String> identifier = PaymentIdentifier.of(payload);
    if (identifier.isEmpty() && policy == IdentifierPolicy.REQUIRED) {
      throw new CallRefused(
          HttpAnswer.error(400, "A payment needs an identifier: extensions.payment-identifier."));
    }
    return identifier;
  }

  /** The answer that this identifier has already; empty if the payment is to be looked at. */
  Optional<HttpAnswer> known(
      IncomingCall call, PaymentPayload payload, AnswerForm form, String identifier) {
    if (!StatedKey.isNetwork(payload)) {
      return Optional.empty();
    }
    String envelope = Sha256.hex(payload.envelope());
    List<IdentifierUse> uses =
        ledger.identifiers().uses(payload.network(), identifier, envelope, named(payload));
    if (uses.isEmpty()) {
      return Optional.empty();
    }
    Optional<IdentifierUse> same =
        uses.stream()
            .filter(use -> use.envelopeHash().equals(envelope))
            .filter(use -> use.bindingHash().equals(call.binding().hash()))
            .findFirst();
    return same.isEmpty() ? Optional.of(taken()) : again(call, form, same.get());
  }

  /** 409: the identifier stands for another payment, or for another request. */
  static HttpAnswer taken() {
    return HttpAnswer.error(409, "This payment identifier stands for another payment or request.");
  }

  private Optional<HttpAnswer> again(IncomingCall call, AnswerForm form, IdentifierUse use) {
    if (!use.isPaid()) {
      return switch (use.state()) {
        case CLAIMED, SETTLING -> Optional.of(Refusals.inUse());
        case IN_DOUBT -> Optional.of(Refusals.doubtful());
        case SETTLED, FAILED, RELEASED -> Optional.empty();
      };
    }
    Optional<StoredAnswer> answer = kept(call, use);
    if (answer.isEmpty() && !use.delivered()) {
      // A method that settled before its effect may still be at work.
      return Optional.empty();
    }
    return Optional.of(
        answer
            .map(stored -> restored(call, form, use, stored))
            .orElseGet(
                () ->
                    HttpAnswer.error(
                        409,
                        "The answer to this payment was a stream or is no longer kept. It is not"
                            + " charged again.")));
  }

  /**
   * The answer that a signed-in wallet has bought by the same request; empty if none is kept. Whose
   * request it is, the signature proves; which payment bought the answer, the ledger alone says.
   */
  Optional<HttpAnswer> bought(IncomingCall call, SignedInWallet wallet) {
    return ledger
        .identifiers()
        .bought(wallet.networks(), wallet.payer(), call.binding())
        .flatMap(
            use -> kept(call, use).map(stored -> restored(call, AnswerForm.CURRENT, use, stored)));
  }

  /** Is read once there is memory for it: any number of callers may ask, and read as they like. */
  private Optional<StoredAnswer> kept(IncomingCall call, IdentifierUse use) {
    return kept(ledger, call, use.payment(), use.answerBytes());
  }

  /**
   * The same of a payment.
   *
   * @param bytes how long its answer is; throws {@link CallRefused} where there is no memory
   */
  static Optional<StoredAnswer> kept(Ledger ledger, IncomingCall call, UUID payment, long bytes) {
    call.keepAnswer(bytes);
    return ledger.identifiers().answer(payment);
  }

  private HttpAnswer restored(
      IncomingCall call, AnswerForm form, IdentifierUse use, StoredAnswer stored) {
    int decimals = offers.decimals(use.key().network(), use.asset());
    Receipts.Paid paid =
        new Receipts.Paid(
            use.payment().toString(),
            use.transaction(),
            use.key().network(),
            StatedKey.payer(use.key()),
            new Usd(use.charged()),
            new Usd(use.charged()).atomicUnits(decimals),
            form);
    return OutgoingAnswer.restored(stored)
        .with(receipts.headers(paid, call.exchange()))
        .with("Cache-Control", Receipts.caching(null));
  }

  /** Whom an envelope names as its payer, which nothing proves yet. */
  private static Optional<String> named(PaymentPayload payload) {
    ChainFamily family = ChainFamily.of(payload.network());
    return family == ChainFamily.EVM
        ? EvmPayments.payer(payload).map(family::spelling)
        : Optional.empty();
  }
}
