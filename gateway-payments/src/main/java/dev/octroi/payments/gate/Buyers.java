package dev.octroi.payments.gate;

import dev.octroi.payments.Sha256;
import dev.octroi.payments.ledger.Ledger;
import dev.octroi.payments.ledger.Purchase;
import dev.octroi.payments.x402.MalformedPayment;
import dev.octroi.payments.x402.PaymentPayload;
import jakarta.ws.rs.WebApplicationException;
import jakarta.ws.rs.core.MultivaluedMap;
import java.util.Optional;
import java.util.UUID;

/**
 * Shows a payment to its payer, who proves to be that by the byte-identical payment (as for an
 * answer: money rule 4).
 */
record Buyers(Ledger ledger) {

  /**
   * The payment of this id or transaction; empty if there is none, or not with this payment.
   *
   * @throws WebApplicationException 400 if the payment header cannot be read, 431 if it is too long
   */
  Optional<Purchase> purchase(String id, MultivaluedMap<String, String> headers) {
    try {
      Optional<PaymentPayload> shown = PaymentHeader.of(headers).map(PaymentHeader::read);
      return shown.flatMap(
          payload ->
              found(id, payload)
                  .filter(it -> it.envelopeHash().equals(Sha256.hex(payload.envelope())))
                  .filter(it -> it.id().toString().equals(id) || id.equals(it.transaction())));
    } catch (Refusal refusal) {
      throw new WebApplicationException(refusal.response());
    } catch (MalformedPayment e) {
      throw new WebApplicationException(FlatErrors.of(400, String.valueOf(e.getMessage())));
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
