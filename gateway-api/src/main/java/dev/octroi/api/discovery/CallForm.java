package dev.octroi.api.discovery;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.octroi.api.catalogue.Operation;
import dev.octroi.api.discovery.Storefront.PricedOperation;
import java.util.List;
import java.util.Locale;

/**
 * By which protocol something that is sold is called, as the protocol's listing tells them apart.
 */
enum CallForm {
  HTTP {
    @Override
    String address(PricedOperation listing, String base) {
      return listing.address(base);
    }

    @Override
    ObjectNode bazaar(Operation operation) {
      return Bazaar.of(operation);
    }
  },
  /** A tool of the Model Context Protocol: those of a group have one address. */
  MCP {
    @Override
    String address(PricedOperation listing, String base) {
      return base + "/mcp/" + listing.operation().row().group().word();
    }

    @Override
    ObjectNode bazaar(Operation operation) {
      return ToolBazaar.of(operation);
    }
  };

  /** Those in which things are sold. */
  static List<CallForm> open(boolean tools) {
    return tools ? List.of(values()) : List.of(HTTP);
  }

  abstract String address(PricedOperation listing, String base);

  /** How it is called, in the form of the extension. */
  abstract ObjectNode bazaar(Operation operation);

  /** The listing's {@code type}. */
  String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * How an operation is called as a tool, in the form of the protocol's {@code bazaar} extension.
   */
  static final class ToolBazaar {

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
}
