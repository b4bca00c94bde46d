package dev.octroi.api.route;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.octroi.api.settings.InvalidSettings;
import java.net.URLDecoder;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** A server's description of itself, as it is written: OpenAPI 3.0 or 3.1. Immutable. */
final class OpenApiDocument {

  static final int LONGEST = 4 << 20;
  static final int MOST_PARTS = 500_000;
  static final int DEEPEST = 100;

  private static final String REF = "$ref";

  private static final JsonMapper JSON =
      JsonMapper.builder(
              JsonFactory.builder()
                  .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                  .streamReadConstraints(
                      StreamReadConstraints.builder()
                          .maxNestingDepth(DEEPEST)
                          .maxTokenCount(MOST_PARTS)
                          .maxNumberLength(100)
                          .maxStringLength(LONGEST)
                          .build())
                  .build())
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
          .build();

  private final String name;
  private final ObjectNode root;

  private OpenApiDocument(String name, ObjectNode root) {
    this.name = name;
    this.root = root;
  }

  /**
   * Reads one.
   *
   * @param name its file or address
   * @throws InvalidSettings with what is wrong with it
   */
  static OpenApiDocument of(String name, byte[] bytes) {
    if (bytes.length > LONGEST) {
      throw invalid(name, "it is larger than 4 MiB");
    }
    String text = text(name, bytes);
    JsonNode whole = text.stripLeading().startsWith("{") ? json(name, text) : yaml(name, text);
    String version = whole.path("openapi").asText();
    if (whole instanceof ObjectNode root && version.matches("3\\.[01](\\..*)?")) {
      return new OpenApiDocument(name, root);
    }
    throw invalid(
        name,
        whole.has("swagger")
            ? "it is Swagger 2; convert it to OpenAPI 3"
            : version.isEmpty()
                ? "it is no OpenAPI document"
                : "it is of another version than OpenAPI 3.0 and 3.1");
  }

  private static String text(String name, byte[] bytes) {
    try {
      String text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
      return text.startsWith("\uFEFF") ? text.substring(1) : text;
    } catch (CharacterCodingException e) {
      throw invalid(name, "it is not in UTF-8");
    }
  }

  private static JsonNode json(String name, String text) {
    try {
      return JSON.readTree(text);
    } catch (StreamConstraintsException e) {
      throw invalid(
          name,
          "it is nested more deeply than "
              + DEEPEST
              + ", or has more than "
              + MOST_PARTS
              + " parts or too long a number");
    } catch (JsonProcessingException e) {
      boolean twice = String.valueOf(e.getOriginalMessage()).startsWith("Duplicate");
      throw invalid(
          name,
          "line "
              + (e.getLocation() == null ? 1 : e.getLocation().getLineNr())
              + (twice ? ": a member stands there twice" : ": it is no JSON there"));
    }
  }

  private static JsonNode yaml(String name, String text) {
    try {
      return YamlReader.read(text);
    } catch (IllegalArgumentException e) {
      throw invalid(name, String.valueOf(e.getMessage()));
    }
  }

  private static InvalidSettings invalid(String name, String what) {
    return new InvalidSettings(List.of(name + ": " + what));
  }

  /** What is wrong with a part of it. */
  InvalidSettings invalid(String what) {
    return invalid(name, what);
  }

  /** The file or the address that it is from. */
  String name() {
    return name;
  }

  ObjectNode root() {
    return root;
  }

  /**
   * A part that may stand elsewhere in the document, where it stands.
   *
   * @param where what names it, for people
   * @throws InvalidSettings if it stands in another document, or nowhere
   */
  JsonNode found(JsonNode part, String where) {
    Set<String> followed = new HashSet<>();
    JsonNode found = part;
    while (found.path(REF).isTextual()) {
      String reference = found.path(REF).textValue();
      if (!followed.add(reference)) {
        throw invalid(where + ": '" + reference + "' leads to itself");
      }
      found = at(reference, where);
    }
    return found;
  }

  /** What a reference leads to, which may be another one. */
  JsonNode at(String reference, String where) {
    if (!reference.startsWith("#")) {
      throw invalid(
          where
              + ": '"
              + reference
              + "' is in another document; only references into this one are followed, so bundle"
              + " them into one file");
    }
    JsonNode there = JsonNodeFactory.instance.missingNode();
    try {
      String pointer =
          URLDecoder.decode(reference.substring(1).replace("+", "%2B"), StandardCharsets.UTF_8);
      there = root.at(JsonPointer.compile(pointer));
    } catch (IllegalArgumentException none) {
      // A name or a broken pointer, which leads nowhere.
    }
    if (there.isMissingNode()) {
      throw invalid(where + ": '" + reference + "' leads nowhere");
    }
    return there;
  }
}
