package dev.octroi.payments.x402;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The protocol's extension {@code payment-identifier}: a payer's own name for a payment, 16 to 128
 * letters, digits, {@code _} and {@code -}.
 */
public final class PaymentIdentifier {

  static final String EXTENSION = "payment-identifier";

  private static final Pattern FORM = Pattern.compile("[A-Za-z0-9_-]{16,128}");

  private PaymentIdentifier() {}

  /**
   * The identifier of a payment; empty if it has none.
   *
   * @throws MalformedPayment if it has another form
   */
  public static Optional<String> of(PaymentPayload payment) {
    if (payment.extensions() == null) {
      return Optional.empty();
    }
    JsonNode extension = Json.optionalObject(payment.extensions(), EXTENSION);
    JsonNode info = extension == null ? null : Json.optionalObject(extension, "info");
    String id = info == null ? null : Json.optionalText(info, "id");
    if (id != null && !FORM.matcher(id).matches()) {
      throw new MalformedPayment(
          "A payment identifier has 16 to 128 letters, digits, underscores and hyphens.");
    }
    return Optional.ofNullable(id);
  }

  /** What a payer says where a challenge asks for an identifier: a new one; else nothing. */
  static Map<String, Object> asked(@Nullable JsonNode announced) {
    boolean required =
        announced != null
            && announced.path(EXTENSION).path("info").path("required").asBoolean(false);
    return required
        ? Map.of(
            EXTENSION, Map.of("info", Map.of("required", true, "id", "pay_" + UUID.randomUUID())))
        : Map.of();
  }

  static Map<String, Object> announcement(boolean required) {
    Map<String, Object> id =
        Map.of("type", "string", "minLength", 16, "maxLength", 128, "pattern", "^[A-Za-z0-9_-]+$");
    return Map.of(
        "info",
        Map.of("required", required),
        "schema",
        Map.of(
            "$schema",
            "https://json-schema.org/draft/2020-12/schema",
            "type",
            "object",
            "properties",
            Map.of("required", Map.of("type", "boolean"), "id", id),
            "required",
            List.of("required")));
  }

  /** Whether payers may, or must, call their payments by an identifier of their own. */
  public enum IdentifierPolicy {
    OFF,
    OPTIONAL,
    REQUIRED;

    /** What challenges announce of it. */
    public Extensions announced() {
      return this == OFF
          ? Extensions.NONE
          : Extensions.of(
              Map.of(
                  PaymentIdentifier.EXTENSION, PaymentIdentifier.announcement(this == REQUIRED)));
    }
  }
}
