package dev.octroi.payments.gate;

import com.fasterxml.jackson.databind.JsonNode;
import dev.octroi.payments.Sha256;
import dev.octroi.payments.facilitator.PaymentKey;
import dev.octroi.payments.ledger.Ledger;
import dev.octroi.payments.ledger.Purchase;
import dev.octroi.payments.x402.MalformedPayment;
import dev.octroi.payments.x402.PaymentPayload;
import jakarta.ws.rs.WebApplicationException;
import jakarta.ws.rs.core.MultivaluedMap;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Pattern;

/**
 * Shows a payment to its payer, who proves to be that by the byte-identical payment (as for an
 * answer: money rule 4).
 */
record Buyers(Ledger ledger) {

  private static final Pattern ADDRESS = Pattern.compile("0x[0-9a-fA-F]{40}");
  private static final Pattern NONCE = Pattern.compile("0x[0-9a-fA-F]{64}");

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

  /**
   * Transactions have no index: it would cost every settlement. The payment says its key itself.
   */
  private Optional<Purchase> found(String id, PaymentPayload payload) {
    try {
      return ledger.purchases().find(UUID.fromString(id));
    } catch (IllegalArgumentException e) {
      return key(payload).flatMap(ledger.purchases()::find);
    }
  }

  private static Optional<PaymentKey> key(PaymentPayload payload) {
    JsonNode authorization = payload.payload().path("authorization");
    String from = authorization.path("from").asText();
    String nonce = authorization.path("nonce").asText();
    return payload.network().startsWith("eip155:")
            && ADDRESS.matcher(from).matches()
            && NONCE.matcher(nonce).matches()
        ? Optional.of(new PaymentKey(payload.network(), from, nonce))
        : Optional.empty();
  }
}
