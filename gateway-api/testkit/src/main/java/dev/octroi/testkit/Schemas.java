package dev.octroi.testkit;

import com.fasterxml.jackson.databind.JsonNode;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import java.util.List;

/** Validates answers against the declared JSON Schemas. */
final class Schemas {

  private static final SchemaRegistry REGISTRY =
      SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12);

  private Schemas() {}

  /** What is wrong with an answer, in sentences; empty if nothing is. */
  static List<String> problems(JsonNode schema, JsonNode answer) {
    Schema compiled = REGISTRY.getSchema(schema);
    return compiled.validate(answer).stream().map(Object::toString).toList();
  }
}
