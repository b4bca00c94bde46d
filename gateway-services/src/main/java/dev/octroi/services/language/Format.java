package dev.octroi.services.language;

import com.fasterxml.jackson.databind.JsonNode;
import org.jspecify.annotations.Nullable;

/** The form that the words of the answer must have. */
public sealed interface Format {

  /** Whatever the model writes. */
  record Prose() implements Format {}

  /** Any JSON object. */
  record JsonObject() implements Format {}

  /** JSON that fits a schema. */
  record JsonSchema(
      String name, @Nullable String description, JsonNode schema, @Nullable Boolean strict)
      implements Format {}
}
