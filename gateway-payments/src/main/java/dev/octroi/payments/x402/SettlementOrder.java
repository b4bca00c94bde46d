package dev.octroi.payments.x402;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/**
 * A payment and the terms that it is settled by, in a form that can be stored.
 *
 * @param payload what the payer sent
 * @param terms this server's own, for the amount that is charged
 */
public record SettlementOrder(PaymentPayload payload, PaymentRequirements terms) {

  private static final String ENVELOPE = "envelope";
  private static final String TERMS = "terms";
  private static final String DECIMALS = "decimals";

  /**
   * Reads what {@link #text} wrote.
   *
   * @throws MalformedPayment if it is anything else
   */
  public static SettlementOrder read(String text) {
    JsonNode root = Json.readObject(text.getBytes(StandardCharsets.US_ASCII));
    return new SettlementOrder(
        PaymentPayload.read(Json.text(root, ENVELOPE)),
        PaymentRequirements.read(Json.object(root, TERMS))
            .withDecimals(Json.integer(root, DECIMALS)));
  }

  /** ASCII of at most 32 KiB. */
  public String text() {
    return Json.write(
        Map.of(
            ENVELOPE, Json.encoded(payload.envelope()), TERMS, terms, DECIMALS, terms.decimals()));
  }
}
