package dev.octroi.api.mcp;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.net.http.HttpHeaders;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Optional;

/** What the gateway's own HTTP face answered. */
record InnerAnswer(int status, HttpHeaders headers, byte[] body) {

  /** The JSON object in a header of the protocol; empty if there is none. */
  Optional<ObjectNode> header(String name) {
    return headers
        .firstValue(name)
        .map(value -> Base64.getDecoder().decode(value))
        .flatMap(ToolJson.INSTANCE::objectIn);
  }

  Optional<ObjectNode> object() {
    return ToolJson.INSTANCE.objectIn(body);
  }

  String text() {
    return new String(body, StandardCharsets.UTF_8);
  }
}
