package dev.octroi.api.discovery;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.octroi.api.catalogue.Operation;
import java.util.List;
import java.util.Map;

/** How an operation is called, in the form of the protocol's {@code bazaar} extension. */
final class Bazaar {

  static final String EXTENSION = "bazaar";

  static final String DRAFT = "https://json-schema.org/draft/2020-12/schema";

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
    if (operation.hasBody()) {
      input.put("bodyType", "json").set("body", operation.example());
    } else {
      put(input, "queryParams", operation.example().deepCopy().remove(operation.pathParameters()));
      put(input, "pathParams", operation.example().deepCopy().retain(operation.pathParameters()));
    }
    if (!operation.headers().isEmpty()) {
      operation.headers().forEach(input.putObject("headers")::put);
    }
    return input;
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
    if (operation.hasBody()) {
      members.putObject("bodyType").put("type", "string").putArray("enum").add("json");
      members.set("body", operation.input());
    } else {
      members.set("queryParams", part(operation, false));
      if (!operation.pathParameters().isEmpty()) {
        members.set("pathParams", part(operation, true));
      }
    }
    ObjectNode headers = members.putObject("headers").put("type", "object");
    headers.putObject("additionalProperties").put("type", "string");
  }

  /** The parameters of the path, or those of the query. */
  private static ObjectNode part(Operation operation, boolean ofPath) {
    ObjectNode schema = JsonNodeFactory.instance.objectNode().put("type", "object");
    ObjectNode properties = schema.putObject("properties");
    List<String> inPath = operation.pathParameters();
    operation.input().path("properties").properties().stream()
        .filter(property -> inPath.contains(property.getKey()) == ofPath)
        .forEach(property -> properties.set(property.getKey(), property.getValue()));
    operation
        .input()
        .path("required")
        .valueStream()
        .filter(name -> inPath.contains(name.textValue()) == ofPath)
        .forEach(name -> schema.withArray("/required").add(name));
    return schema;
  }

  /** As the member of {@code extensions} that it is. */
  static Map<String, Object> member(Object written) {
    return Map.of(EXTENSION, written);
  }
}
