package dev.octroi.reference.sandbox.cryptodata;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Makes JSON objects whose fields keep their order. */
final class Fields {

  private Fields() {}

  /** Names and values in turn. */
  static Map<String, @Nullable Object> of(@Nullable Object... namesAndValues) {
    Map<String, @Nullable Object> fields = new LinkedHashMap<>();
    for (int at = 0; at < namesAndValues.length; at += 2) {
      fields.put(String.valueOf(namesAndValues[at]), namesAndValues[at + 1]);
    }
    return fields;
  }

  /** The number under a name, for sorting. */
  static double number(Map<String, @Nullable Object> fields, String name) {
    return fields.get(name) instanceof Number number ? number.doubleValue() : 0;
  }
}
