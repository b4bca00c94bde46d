package dev.octroi.api.mcp;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.JsonSerializable;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.jsontype.TypeSerializer;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.modelcontextprotocol.json.McpJsonMapper;
import io.modelcontextprotocol.json.TypeRef;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The SDK's JSON, by the mapper that the gateway has anyway. Thread-safe. */
final class ToolJson implements McpJsonMapper {

  static final ToolJson INSTANCE = new ToolJson();

  private static final int DEPTH = 64;

  /** What is read of a call lives as long as it; ten thousand messages have fewer. */
  private static final long TOKENS = 250_000;

  private static final TypeReference<Map<String, Object>> MAP = new TypeReference<>() {};

  private final JsonMapper mapper =
      new JsonMapper(
          JsonFactory.builder()
              .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
              .streamReadConstraints(
                  StreamReadConstraints.builder()
                      .maxNestingDepth(DEPTH)
                      .maxTokenCount(TOKENS)
                      .build())
              .build());

  private final ObjectWriter writer =
      mapper.writer().without(JsonGenerator.Feature.AUTO_CLOSE_TARGET);

  private ToolJson() {}

  @Override
  public <T> T readValue(String content, Class<T> type) throws IOException {
    return present(mapper.readValue(content, type));
  }

  @Override
  public <T> T readValue(byte[] content, Class<T> type) throws IOException {
    return present(mapper.readValue(content, type));
  }

  @Override
  public <T> T readValue(String content, TypeRef<T> type) throws IOException {
    return present(mapper.<T>readValue(content, mapper.constructType(type.getType())));
  }

  @Override
  public <T> T readValue(byte[] content, TypeRef<T> type) throws IOException {
    return present(mapper.<T>readValue(content, mapper.constructType(type.getType())));
  }

  /** The SDK takes for granted that no message is {@code null}. */
  private static <T> T present(@Nullable T read) throws IOException {
    if (read == null) {
      throw new IOException("null is no message");
    }
    return read;
  }

  @Override
  public <T> T convertValue(Object value, Class<T> type) {
    return mapper.convertValue(value, type);
  }

  @Override
  public <T> T convertValue(Object value, TypeRef<T> type) {
    return mapper.convertValue(value, mapper.constructType(type.getType()));
  }

  @Override
  public String writeValueAsString(Object value) throws IOException {
    return mapper.writeValueAsString(value);
  }

  @Override
  public byte[] writeValueAsBytes(Object value) throws IOException {
    return mapper.writeValueAsBytes(value);
  }

  /** Writes a message without a copy of it in memory. */
  void write(OutputStream out, Object message) throws IOException {
    writer.writeValue(out, message);
  }

  ObjectNode object() {
    return mapper.createObjectNode();
  }

  ObjectNode tree(Map<String, Object> members) {
    return mapper.valueToTree(members);
  }

  Map<String, Object> map(JsonNode object) {
    return mapper.convertValue(object, MAP);
  }

  /** A text as the JSON that it is, to be written as a part of other JSON; empty if no object. */
  Optional<Object> objectText(String json) {
    try (JsonParser parser = mapper.createParser(json)) {
      if (parser.nextToken() != JsonToken.START_OBJECT) {
        return Optional.empty();
      }
      // To its end: a tree of it would be many times as large.
      for (int depth = 1; depth > 0; ) {
        JsonToken token = parser.nextToken();
        depth += token.isStructStart() ? 1 : token.isStructEnd() ? -1 : 0;
      }
      return Optional.of(new Part(json));
    } catch (IOException noJson) {
      return Optional.empty();
    }
  }

  /** JSON within other JSON, on one line. */
  private record Part(String json) implements JsonSerializable {

    @Override
    public void serialize(JsonGenerator out, SerializerProvider provider) throws IOException {
      try (JsonParser parser = INSTANCE.mapper.createParser(json)) {
        parser.nextToken();
        out.copyCurrentStructure(parser);
      }
    }

    @Override
    public void serializeWithType(
        JsonGenerator out, SerializerProvider provider, TypeSerializer type) throws IOException {
      serialize(out, provider);
    }
  }

  /** What bytes say if they are a JSON object. */
  Optional<ObjectNode> objectIn(byte[] json) {
    try {
      return mapper.readTree(json) instanceof ObjectNode object
          ? Optional.of(object)
          : Optional.empty();
    } catch (IOException noJson) {
      return Optional.empty();
    }
  }

  /** The bytes of something that was read as JSON. */
  byte[] bytes(JsonNode value) {
    try {
      return mapper.writeValueAsBytes(value);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }
}
