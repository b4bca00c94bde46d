package dev.octroi.sandbox.cryptodata;

import java.util.LinkedHashMap;
import org.jspecify.annotations.Nullable;

/** A JSON object whose fields keep their order. */
final class Fields extends LinkedHashMap<String, @Nullable Object> {

  private static final long serialVersionUID = 1L;

  static Fields of(String name, @Nullable Object value) {
    return new Fields().and(name, value);
  }

  Fields and(String name, @Nullable Object value) {
    put(name, value);
    return this;
  }

  /** All fields of another object after those of this one. */
  Fields and(Fields more) {
    putAll(more);
    return this;
  }

  /** The number under a name, 0 where there is none. */
  double number(String name) {
    return get(name) instanceof Number number ? number.doubleValue() : 0;
  }
}
