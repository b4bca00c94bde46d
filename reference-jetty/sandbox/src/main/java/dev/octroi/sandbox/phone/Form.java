package dev.octroi.sandbox.phone;

import dev.octroi.sandbox.contract.FormBody;
import dev.octroi.sandbox.vendor.SandboxRequest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** What a request says in its query or its form. */
record Form(Map<String, String> fields) {

  static Form of(SandboxRequest request) {
    Map<String, String> fields = new HashMap<>(request.call().query());
    try {
      FormBody.of(request.headers(), request.body())
          .members()
          .properties()
          .forEach(field -> fields.put(field.getKey(), field.getValue().asText()));
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
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
