package dev.octroi.api.openapi;

import com.fasterxml.jackson.annotation.JsonAnyGetter;
import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.octroi.services.JarResource;
import io.swagger.v3.oas.models.OpenAPI;
import io.swagger.v3.oas.models.Operation;
import io.swagger.v3.oas.models.media.JsonSchema;
import io.swagger.v3.oas.models.media.MediaType;
import io.swagger.v3.oas.models.media.Schema;
import io.swagger.v3.oas.models.responses.ApiResponse;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The model library's objects as JSON. The library brings the model alone: its own writer would
 * bring YAML, XML binding and a second validator along.
 */
final class OpenApiJson {

  private static final JsonMapper MAPPER =
      JsonMapper.builder()
          .addMixIn(Schema.class, OfSchema.class)
          .addMixIn(Operation.class, Extended.class)
          .addMixIn(MediaType.class, OfMediaType.class)
          .enable(SerializationFeature.WRITE_ENUMS_USING_TO_STRING)
          .defaultPropertyInclusion(
              JsonInclude.Value.construct(
                  JsonInclude.Include.NON_NULL, JsonInclude.Include.NON_NULL))
          .build();

  /** Words by which a schema says what an object has. */
  private static final Set<String> SAYING =
      Set.of("properties", "additionalProperties", "allOf", "anyOf", "oneOf", "$ref");

  /** Members that hold data and no schemas. */
  private static final Set<String> DATA =
      Set.of("example", "examples", "default", "enum", "const", "x-payment-info");

  private OpenApiJson() {}

  static ObjectNode tree(OpenAPI document) {
    return MAPPER.valueToTree(document);
  }

  static byte[] bytes(JsonNode tree) {
    try {
      return MAPPER.writeValueAsBytes(tree);
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** What a source file says as JSON; missing where it is empty. */
  static JsonNode written(String json) {
    try {
      return MAPPER.readTree(json);
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A schema that was made elsewhere, as the library's object. */
  static JsonSchema schema(JsonNode json) {
    try {
      return MAPPER.treeToValue(json, JsonSchema.class);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("no schema: " + json, e);
    }
  }

  /** An answer that was written elsewhere, as the library's object. */
  static ApiResponse response(JsonNode json) {
    try {
      return MAPPER.treeToValue(json, ApiResponse.class);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("no response: " + json, e);
    }
  }

  /** A resource beside this class. */
  static ObjectNode resource(String name) {
    return (ObjectNode) written(JarResource.text(OpenApiJson.class, name));
  }

  /**
   * Says of each object of which nothing is known that it may have any member: without that,
   * generators of clients make a type of it that has none.
   */
  static void opened(JsonNode node) {
    if (node instanceof ObjectNode object
        && object.path("type").asText().equals("object")
        && SAYING.stream().noneMatch(object::has)) {
      object.put("additionalProperties", true);
    }
    if (node.isObject()) {
      node.properties()
          .forEach(
              member -> {
                if (!DATA.contains(member.getKey())) {
                  opened(member.getValue());
                }
              });
    } else {
      node.forEach(OpenApiJson::opened);
    }
  }

  /** Extensions stand among the members. */
  interface Extended {
    @JsonAnyGetter
    @Nullable Map<String, Object> getExtensions();
  }

  interface OfSchema extends Extended {

    /** Version 3.1 may have several; one is written without an array. */
    @JsonProperty("type")
    @JsonFormat(
        with = {
          JsonFormat.Feature.WRITE_SINGLE_ELEM_ARRAYS_UNWRAPPED,
          JsonFormat.Feature.ACCEPT_SINGLE_VALUE_AS_ARRAY
        })
    @Nullable Set<String> getTypes();

    @JsonProperty("type")
    void setTypes(Set<String> types);

    @JsonIgnore
    void setType(String type);
  }

  interface OfMediaType {
    @JsonIgnore
    boolean getExampleSetFlag();
  }
}
