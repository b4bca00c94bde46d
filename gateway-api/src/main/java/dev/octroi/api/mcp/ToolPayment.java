package dev.octroi.api.mcp;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.octroi.payments.x402.PaymentHeaders;
import io.modelcontextprotocol.spec.McpSchema.CallToolRequest;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;

/** The payment in the {@code _meta} of a call (x402, MCP transport), as headers of HTTP. */
final class ToolPayment {

  static final String PAYMENT = "x402/payment";
  static final String RESPONSE = "x402/payment-response";

  private ToolPayment() {}

  /** Throws {@link IllegalArgumentException} for what is no envelope. */
  static Map<String, String> headers(CallToolRequest request) {
    Object payment =
        Optional.ofNullable(request.meta()).map(meta -> meta.get(PAYMENT)).orElse(null);
    if (payment == null) {
      return Map.of();
    }
    JsonNode envelope = ToolJson.INSTANCE.convertValue(payment, JsonNode.class);
    if (!(envelope instanceof ObjectNode object)) {
      throw new IllegalArgumentException("_meta['" + PAYMENT + "'] is an object.");
    }
    String header = Base64.getEncoder().encodeToString(ToolJson.INSTANCE.bytes(object));
    boolean former = object.path("x402Version").asInt() == 1;
    return Map.of(former ? PaymentHeaders.X_PAYMENT : PaymentHeaders.PAYMENT_SIGNATURE, header);
  }
}
