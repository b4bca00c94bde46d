package dev.octroi.api.discovery;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.octroi.api.catalogue.Operation;
import dev.octroi.api.group.SoldRow.Place;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;

/** How an operation is called, in the form of the protocol's {@code bazaar} extension. */
final class Bazaar {

  static final String EXTENSION = "bazaar";

  static final String DRAFT = "https://json-schema.org/draft/2020-12/schema";

  private static final Set<Place> PATH = EnumSet.of(Place.PATH, Place.REST);
  private static final Set<Place> QUERY = EnumSet.of(Place.QUERY);
  private static final Set<Place> HEADER = EnumSet.of(Place.HEADER);

  private Bazaar() {}

  /** An example of a call, and the schema that every call's description satisfies. */
  static ObjectNode of(Operation operation) {
    ObjectNode extension = JsonNodeFactory.instance.objectNode();
    ObjectNode info = extension.putObject("info");
    info.set("input", example(operation));
    info.putObject("output").put("type", "json");
    if (!operation.pathParameters().isEmpty()) {
      extension.put("routeTemplate", operation.routeTemplate());
    }
    extension.set("schema", schema(operation));
    return extension;
  }

  private static ObjectNode example(Operation operation) {
    ObjectNode input = JsonNodeFactory.instance.objectNode();
    input.put("type", "http").put("method", operation.row().method());
    ObjectNode example = operation.example();
    if (operation.hasBody()) {
      input.put("bodyType", bodyType(operation)).set("body", operation.body(example));
    }
    put(input, "queryParams", operation.at(QUERY, example));
    put(input, "pathParams", operation.at(PATH, example));
    ObjectNode headers = operation.at(HEADER, example);
    operation.headers().forEach(headers::put);
    put(input, "headers", headers);
    return input;
  }

  private static String bodyType(Operation operation) {
    return operation.hasJsonBody() ? "json" : "text";
  }

  private static void put(ObjectNode input, String name, ObjectNode values) {
    if (!values.isEmpty()) {
      input.set(name, values);
    }
  }

  private static ObjectNode schema(Operation operation) {
    ObjectNode schema = JsonNodeFactory.instance.objectNode();
    schema.put("$schema", DRAFT).put("type", "object");
    ObjectNode properties = schema.putObject("properties");
    ObjectNode input = properties.putObject("input").put("type", "object");
    members(operation, input.putObject("properties"));
    input.putArray("required").add("type").add("method");
    if (operation.hasBody()) {
      input.withArray("/required").add("bodyType").add("body");
    }
    input.put("additionalProperties", false);
    ObjectNode output = properties.putObject("output").put("type", "object");
    output.putObject("properties").putObject("type").put("type", "string");
    output.putArray("required").add("type");
    schema.putArray("required").add("input");
    return schema;
  }

  private static void members(Operation operation, ObjectNode members) {
    members.putObject("type").put("type", "string").put("const", "http");
    ObjectNode method = members.putObject("method").put("type", "string");
    method.putArray("enum").add(operation.row().method());
    ObjectNode query = operation.schema(QUERY);
    if (operation.hasBody()) {
      members.putObject("bodyType").put("type", "string").putArray("enum").add(bodyType(operation));
      members.set("body", operation.bodySchema().orElse(operation.input()));
    }
    if (!operation.hasBody() || !query.path("properties").isEmpty()) {
      members.set("queryParams", query);
    }
    if (!operation.pathParameters().isEmpty()) {
      members.set("pathParams", operation.schema(PATH));
    }
    ObjectNode headers = members.putObject("headers").put("type", "object");
    headers.putObject("additionalProperties").put("type", "string");
  }

  /** As the member of {@code extensions} that it is. */
  static Map<String, Object> member(Object written) {
    return Map.of(EXTENSION, written);
  }
}
