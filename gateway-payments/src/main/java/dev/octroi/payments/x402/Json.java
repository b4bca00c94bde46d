package dev.octroi.payments.x402;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The protocol's JSON: read strictly (UTF-8, no duplicate names, no NaN, nothing after the end,
 * bounded depth), its members by name and type, and written as ASCII; in headers as base64. What is
 * otherwise is a {@link MalformedPayment}.
 */
final class Json {

  /** A payment has four levels; extensions may add some. */
  private static final int MAX_DEPTH = 32;

  private static final int MAX_NUMBER_CHARS = 100;
  private static final char[] HEX = "0123456789abcdef".toCharArray();

  private static final JsonMapper MAPPER =
      JsonMapper.builder(
              JsonFactory.builder()
                  .streamReadConstraints(
                      StreamReadConstraints.builder()
                          .maxNestingDepth(MAX_DEPTH)
                          .maxNumberLength(MAX_NUMBER_CHARS)
                          .build())
                  .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                  .enable(JsonWriteFeature.ESCAPE_NON_ASCII)
                  .build())
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .build();

  private Json() {}

  /**
   * Reads one JSON object.
   *
   * @throws MalformedPayment if the bytes are anything else
   */
  static JsonNode readObject(byte[] utf8) {
    JsonNode node;
    try {
      // Decoded here, because the parser would guess UTF-16 and UTF-32 from the first bytes.
      String text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(utf8)).toString();
      node = MAPPER.readTree(text);
    } catch (CharacterCodingException e) {
      throw new MalformedPayment("The payment is not UTF-8.");
    } catch (JsonProcessingException e) {
      throw new MalformedPayment("The payment is not well-formed JSON.");
    }
    if (!node.isObject()) {
      throw new MalformedPayment("The payment is not a JSON object.");
    }
    return node;
  }

  static String write(Object value) {
    try {
      return MAPPER.writeValueAsString(value);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("not writable as JSON", e);
    }
  }

  static JsonNode tree(Object value) {
    return MAPPER.valueToTree(value);
  }

  /** A header's value: standard padded base64 of bytes. */
  static String encoded(byte[] bytes) {
    return Base64.getEncoder().encodeToString(bytes);
  }

  /** The same of an object as JSON. */
  static String encoded(Object value) {
    return encoded(write(value).getBytes(StandardCharsets.US_ASCII));
  }

  /**
   * Decodes the one canonical spelling of some bytes.
   *
   * @throws MalformedPayment if the text is too long, or not base64, or not padded, or another
   *     spelling of the same bytes
   */
  static byte[] decoded(String text, int maxChars) {
    if (text.length() > maxChars) {
      throw new MalformedPayment("The payment header is too long.");
    }
    byte[] bytes;
    try {
      bytes = Base64.getDecoder().decode(text);
    } catch (IllegalArgumentException e) {
      throw new MalformedPayment("The payment header is not standard base64.");
    }
    if (!encoded(bytes).equals(text)) {
      throw new MalformedPayment("The payment header is not padded base64.");
    }
    return bytes;
  }

  private static <T> T present(@Nullable T member, String name) {
    if (member == null) {
      throw new MalformedPayment("The payment has no " + name + ".");
    }
    return member;
  }

  static String text(JsonNode object, String name) {
    return present(optionalText(object, name), name);
  }

  static @Nullable String optionalText(JsonNode object, String name) {
    JsonNode node = optional(object, name);
    if (node != null && !node.isTextual()) {
      throw new MalformedPayment("In the payment, " + name + " is not a string.");
    }
    return node == null ? null : node.textValue();
  }

  static JsonNode object(JsonNode object, String name) {
    return present(optionalObject(object, name), name);
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

  /** The members of an object such as {@code extra}, texts as strings; null where there is none. */
  static @Nullable Map<String, Object> members(@Nullable JsonNode object) {
    if (object == null) {
      return null;
    }
    Map<String, Object> members = new LinkedHashMap<>();
    object.properties().forEach(e -> members.put(e.getKey(), plain(e.getValue())));
    return members;
  }

  private static Object plain(JsonNode value) {
    return value.isTextual() ? value.textValue() : value;
  }

  /** Appends a string, without any tree or generator: for the messages of the hot path. */
  static void string(StringBuilder json, String text) {
    json.append('"');
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '"' || c == '\\') {
        json.append('\\').append(c);
      } else if (c >= ' ' && c < 0x7f) {
        json.append(c);
      } else {
        escaped(json, c);
      }
    }
    json.append('"');
  }

  private static void escaped(StringBuilder json, char c) {
    json.append("\\u");
    for (int shift = 12; shift >= 0; shift -= 4) {
      json.append(HEX[(c >> shift) & 0xf]);
    }
  }
}
