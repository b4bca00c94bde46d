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

/**
 * The protocol's JSON: read strictly (UTF-8, no duplicate names, no NaN, nothing after the end,
 * bounded depth), written as ASCII.
 */
final class Json {

  /** A payment has four levels; extensions may add some. */
  private static final int MAX_DEPTH = 32;

  private static final int MAX_NUMBER_CHARS = 100;

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
}
