package dev.octroi.sandbox.formula;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * An object whose members keep their order: a row of a table, or a JSON object of an answer. Not
 * thread-safe while it is filled; safe afterwards.
 */
public final class Row extends LinkedHashMap<String, @Nullable Object> implements Item {

  private static final long serialVersionUID = 1L;

  private final String type;
  private final transient Map<String, Object> kept = new ConcurrentHashMap<>(0);

  public Row() {
    this("");
  }

  /**
   * @param type for further attributes of the language; empty for none
   */
  public Row(String type) {
    this.type = type;
  }

  /** An object of names and values in turn. */
  public static Row of(@Nullable Object... namesAndValues) {
    Row row = new Row();
    for (int at = 0; at < namesAndValues.length; at += 2) {
      row.put(String.valueOf(namesAndValues[at]), namesAndValues[at + 1]);
    }
    return row;
  }

  /** Adds a member. */
  public Row with(String name, @Nullable Object value) {
    put(name, value);
    return this;
  }

  @Override
  public String type() {
    return type;
  }

  @Override
  public @Nullable Object get(String name, long time) {
    return getOrDefault(name, NONE);
  }

  /** An attribute that never changes, worked out once. */
  Object kept(String name, Supplier<Object> value) {
    Object known = kept.get(name);
    if (known == null) {
      known = value.get();
      kept.put(name, known);
    }
    return known;
  }
}
