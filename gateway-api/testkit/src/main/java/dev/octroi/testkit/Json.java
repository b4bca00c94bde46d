package dev.octroi.testkit;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Objects;

/** Reads and writes JSON; what cannot be read fails the test that needed it. */
final class Json {

  static final ObjectMapper MAPPER =
      JsonMapper.builder()
          .enable(DeserializationFeature.FAIL_ON_READING_DUP_TREE_KEY)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build();

  private Json() {}

  static JsonNode read(byte[] json) {
    try {
      return MAPPER.readTree(json);
    } catch (IOException e) {
      throw new AssertionError(
          "Not one JSON value: "
              + new String(
                  json, 0, Math.min(200, json.length), java.nio.charset.StandardCharsets.UTF_8),
          e);
    }
  }

  static JsonNode resource(String name) {
    try (InputStream in = Objects.requireNonNull(Json.class.getResourceAsStream(name), name)) {
      return MAPPER.readTree(in);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static String write(JsonNode node) {
    try {
      return MAPPER.writeValueAsString(node);
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException(e);
    }
  }
}
