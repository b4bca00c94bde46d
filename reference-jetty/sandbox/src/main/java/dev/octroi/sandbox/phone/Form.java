package dev.octroi.sandbox.phone;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.octroi.sandbox.vendor.SandboxRequest;
import java.net.URLDecoder;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What a request says in its query or its form. */
record Form(Map<String, String> fields) {

  static Form of(SandboxRequest request) {
    Map<String, String> fields = new HashMap<>();
    request.query().forEach((name, values) -> fields.put(name, values.get(0)));
    for (String field : new String(request.body(), UTF_8).split("&")) {
      List<String> sides = List.of(field.split("=", 2));
      if (sides.size() == 2) {
        fields.put(URLDecoder.decode(sides.get(0), UTF_8), URLDecoder.decode(sides.get(1), UTF_8));
      }
    }
    return new Form(fields);
  }

  Optional<String> find(String name) {
    return Optional.ofNullable(fields.get(name));
  }

  String get(String name) {
    return fields.getOrDefault(name, "");
  }

  int count(String name, int otherwise) {
    return find(name)
        .filter(text -> text.matches("\\d{1,4}"))
        .map(Integer::valueOf)
        .orElse(otherwise);
  }
}
