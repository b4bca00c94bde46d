package dev.octroi.api.discovery;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.octroi.api.catalogue.Operation;

/** How an operation is called as a tool, in the form of the protocol's {@code bazaar} extension. */
final class ToolBazaar {

  private static final String TRANSPORT = "streamable-http";

  private ToolBazaar() {}

  /** An example of a call, and the schema that every tool's description satisfies. */
  static ObjectNode of(Operation operation) {
    ObjectNode extension = JsonNodeFactory.instance.objectNode();
    ObjectNode input = extension.putObject("info").putObject("input");
    input
        .put("type", CallForm.MCP.word())
        .put("toolName", operation.name())
        .put("description", operation.about())
        .put("transport", TRANSPORT);
    input.set("inputSchema", operation.input());
    input.set("example", operation.example());
    extension.set("schema", schema());
    return extension;
  }

  private static ObjectNode schema() {
    ObjectNode schema = JsonNodeFactory.instance.objectNode();
    schema.put("$schema", Bazaar.DRAFT).put("type", "object");
    ObjectNode input = schema.putObject("properties").putObject("input").put("type", "object");
    ObjectNode members = input.putObject("properties");
    members.putObject("type").put("type", "string").put("const", CallForm.MCP.word());
    members.putObject("toolName").put("type", "string");
    members.putObject("description").put("type", "string");
    members.putObject("transport").put("type", "string").putArray("enum").add(TRANSPORT);
    members.putObject("inputSchema").put("type", "object");
    members.putObject("example").put("type", "object");
    input.putArray("required").add("type").add("toolName").add("inputSchema");
    input.put("additionalProperties", false);
    schema.putArray("required").add("input");
    return schema;
  }
}
