package dev.octroi.payments.x402;

import com.fasterxml.jackson.databind.JsonNode;
import org.jspecify.annotations.Nullable;

/** Members of a JSON object by name and type; a wrong type is a {@link MalformedPayment}. */
final class Fields {

  private Fields() {}

  static String text(JsonNode object, String name) {
    String text = optionalText(object, name);
    if (text == null) {
      throw new MalformedPayment("The payment has no " + name + ".");
    }
    return text;
  }

  static @Nullable String optionalText(JsonNode object, String name) {
    JsonNode node = optional(object, name);
    if (node != null && !node.isTextual()) {
      throw new MalformedPayment("In the payment, " + name + " is not a string.");
    }
    return node == null ? null : node.textValue();
  }

  static JsonNode object(JsonNode object, String name) {
    JsonNode node = optionalObject(object, name);
    if (node == null) {
      throw new MalformedPayment("The payment has no " + name + ".");
    }
    return node;
  }

  static @Nullable JsonNode optionalObject(JsonNode object, String name) {
    JsonNode node = optional(object, name);
    if (node != null && !node.isObject()) {
      throw new MalformedPayment("In the payment, " + name + " is not an object.");
    }
    return node;
  }

  static int integer(JsonNode object, String name) {
    JsonNode node = optional(object, name);
    if (node == null || !node.isInt()) {
      throw new MalformedPayment("In the payment, " + name + " is not an integer.");
    }
    return node.intValue();
  }

  /** A member that is absent or null counts as absent (x402 v2). */
  static @Nullable JsonNode optional(JsonNode object, String name) {
    JsonNode node = object.get(name);
    return node == null || node.isNull() ? null : node;
  }
}
