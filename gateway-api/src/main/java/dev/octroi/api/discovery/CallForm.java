package dev.octroi.api.discovery;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.octroi.api.catalogue.Operation;
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
  /** A tool of the Model Context Protocol: all of them have one address. */
  MCP {
    @Override
    String address(PricedOperation listing, String base) {
      return base + "/mcp";
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
}
