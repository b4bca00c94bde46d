package dev.octroi.payments.flow;

import dev.octroi.payments.CallRefused;
import dev.octroi.payments.HttpAnswer;
import dev.octroi.payments.Sha256;
import dev.octroi.payments.ledger.Ledger;
import dev.octroi.payments.ledger.Purchases.Purchase;
import dev.octroi.payments.x402.MalformedPayment;
import dev.octroi.payments.x402.PaymentPayload;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;

/**
 * Shows a payment to its payer, who proves to be that by the byte-identical payment (as for an
 * answer: money rule 4).
 */
record Buyers(Ledger ledger) {

  /**
   * The payment of this id or transaction; empty if there is none, or not with this payment.
   *
   * @throws CallRefused 400 if the payment header cannot be read, 431 if it is too long
   */
  Optional<Purchase> purchase(String id, Function<String, List<String>> headers) {
    try {
      Optional<PaymentPayload> shown = PaymentHeader.of(headers).map(PaymentHeader::read);
      return shown.flatMap(
          payload ->
              found(id, payload)
                  .filter(it -> it.envelopeHash().equals(Sha256.hex(payload.envelope())))
                  .filter(it -> it.id().toString().equals(id) || id.equals(it.transaction())));
    } catch (MalformedPayment e) {
      throw new CallRefused(HttpAnswer.error(400, String.valueOf(e.getMessage())));
    }
  }

  /** The payment that this very envelope has made, or is making, whatever it was made for. */
  Optional<Purchase> same(PaymentPayload payload) {
    String envelope = Sha256.hex(payload.envelope());
    return StatedKey.of(payload).flatMap(key -> ledger.purchases().find(key, envelope));
  }

  /**
   * Transactions have no index: it would cost every settlement. The payment says its key itself.
   */
  private Optional<Purchase> found(String id, PaymentPayload payload) {
    try {
      return ledger.purchases().find(UUID.fromString(id));
    } catch (IllegalArgumentException e) {
      return StatedKey.of(payload).flatMap(ledger.purchases()::find);
    }
  }
}
