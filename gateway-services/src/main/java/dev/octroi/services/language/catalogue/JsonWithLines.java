package dev.octroi.services.language.catalogue;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;

/**
 * A JSON document that knows on which line each of its values stands, so that a problem can be
 * found by who has to mend it.
 *
 * @param root the document
 * @param lines by JSON pointer
 */
record JsonWithLines(JsonNode root, Map<String, Integer> lines) {

  private static final JsonMapper MAPPER =
      JsonMapper.builder(
              JsonFactory.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build())
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build();

  static JsonWithLines read(byte[] json) throws IOException {
    JsonNode root = MAPPER.readTree(json);
    Map<String, Integer> lines = new HashMap<>();
    try (JsonParser parser = MAPPER.createParser(json)) {
      while (parser.nextToken() != null) {
        String pointer = parser.getParsingContext().pathAsPointer().toString();
        lines.putIfAbsent(pointer, parser.currentTokenLocation().getLineNr());
      }
    }
    return new JsonWithLines(root, lines);
  }

  int line(String pointer) {
    return lines.getOrDefault(pointer, 1);
  }
}
