package dev.octroi.sandbox.language;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Objects in the order in which the vendors write them, nulls included. */
final class Json {

  private final Map<String, @Nullable Object> members = new LinkedHashMap<>();

  static Json object() {
    return new Json();
  }

  Json with(String name, @Nullable Object value) {
    members.put(name, value);
    return this;
  }

  Map<String, @Nullable Object> map() {
    return members;
  }
}
