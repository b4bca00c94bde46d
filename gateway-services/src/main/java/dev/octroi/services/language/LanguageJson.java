package dev.octroi.services.language;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.octroi.services.language.sse.SseParser.SseFrame;
import dev.octroi.services.upstream.UpstreamAnswer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** The JSON of language bodies. Numbers keep their spelling. */
public final class LanguageJson {

  private static final JsonMapper MAPPER = mapper(JsonFactory.builder().build());
  private static final JsonMapper STRICT =
      mapper(JsonFactory.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build());

  private LanguageJson() {}

  private static JsonMapper mapper(JsonFactory factory) {
    factory.setStreamReadConstraints(
        StreamReadConstraints.builder()
            .maxNestingDepth(PromptLimits.DEPTH)
            .maxStringLength(PromptLimits.TEXT)
            .build());
    return JsonMapper.builder(factory)
        .enable(JsonWriteFeature.COMBINE_UNICODE_SURROGATES_IN_UTF8)
        .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
        .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
        .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
        .build();
  }

  /** What the text holds; a missing node for what is not JSON. */
  public static JsonNode tree(String text) {
    try {
      return MAPPER.readTree(text);
    } catch (JsonProcessingException malformed) {
      return MissingNode.getInstance();
    }
  }

  /**
   * What a caller's or an upstream's bytes hold; a missing node for what is not JSON. A member
   * named twice is no JSON here, nor another charset than UTF-8: two readers could take different
   * ones.
   */
  public static JsonNode tree(byte[] bytes) {
    try {
      return UpstreamAnswer.isUtf8(bytes) ? STRICT.readTree(bytes) : MissingNode.getInstance();
    } catch (IOException malformed) {
      return MissingNode.getInstance();
    }
  }

  /** What an event of an upstream's stream holds, by the same rules. */
  public static JsonNode tree(SseFrame frame) {
    try {
      StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(frame.raw()));
      return STRICT.readTree(frame.data());
    } catch (IOException malformed) {
      return MissingNode.getInstance();
    }
  }

  public static ObjectNode object() {
    return JsonNodeFactory.instance.objectNode();
  }

  public static ArrayNode array() {
    return JsonNodeFactory.instance.arrayNode();
  }

  /** Sets a member of an object, unless there is nothing to say. */
  public static void putIfStated(ObjectNode object, String member, @Nullable Object value) {
    if (value != null) {
      object.set(member, MAPPER.valueToTree(value));
    }
  }

  public static byte[] bytes(JsonNode tree) {
    try {
      return MAPPER.writeValueAsBytes(tree);
    } catch (JsonProcessingException unwritable) {
      throw new IllegalStateException("A tree of nodes can always be written", unwritable);
    }
  }

  /** The schema of a tool that takes nothing, for protocols that insist on one. */
  public static ObjectNode emptySchema() {
    ObjectNode schema = object().put("type", "object");
    schema.putObject("properties");
    return schema;
  }

  /**
   * A model's arguments as the object that one protocol wants. What is no object is kept under a
   * name that says so: models write invalid JSON, and are cut off in the middle of it.
   */
  public static JsonNode arguments(String json) {
    if (json.isBlank()) {
      return object();
    }
    JsonNode tree = tree(json);
    return tree.isObject() ? tree : object().put("INVALID_JSON", json);
  }
}
