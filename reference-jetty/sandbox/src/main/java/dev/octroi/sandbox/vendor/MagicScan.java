package dev.octroi.sandbox.vendor;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Looks for a magic value in every place where a parameter can stand. Thread-safe. */
final class MagicScan {

  private final ObjectMapper json;

  MagicScan(ObjectMapper json) {
    this.json = json;
  }

  /**
   * The first magic value among path segments, query values and the body's JSON strings or forms.
   */
  Optional<Magic> scan(SandboxRequest request) {
    return Stream.of(segments(request), queryValues(request), bodyStrings(request))
        .flatMap(values -> values)
        .map(Magic::in)
        .flatMap(Optional::stream)
        .findFirst();
  }

  private static Stream<String> segments(SandboxRequest request) {
    return Stream.of(request.path().split("/"));
  }

  private static Stream<String> queryValues(SandboxRequest request) {
    return request.query().values().stream().flatMap(List::stream);
  }

  private Stream<String> bodyStrings(SandboxRequest request) {
    if (request.headers().getOrDefault("content-type", "").startsWith("multipart/")) {
      return Stream.of(new String(request.body(), StandardCharsets.ISO_8859_1));
    }
    if (request.body().length == 0) {
      return Stream.empty();
    }
    try {
      return strings(json.readTree(request.body()));
    } catch (IOException notJson) {
      return Stream.empty();
    }
  }

  private static Stream<String> strings(JsonNode node) {
    return node.isTextual()
        ? Stream.of(node.textValue())
        : node.valueStream().flatMap(MagicScan::strings);
  }
}
