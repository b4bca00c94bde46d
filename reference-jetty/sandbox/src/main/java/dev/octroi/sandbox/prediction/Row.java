package dev.octroi.sandbox.prediction;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One JSON object with its members in the vendor's order. Not thread-safe. */
final class Row {

  private final Map<String, @Nullable Object> members = new LinkedHashMap<>();

  /** Names and values in turn. */
  static Row of(@Nullable Object... namesAndValues) {
    Row row = new Row();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      row.members.put(String.valueOf(namesAndValues[i]), namesAndValues[i + 1]);
    }
    return row;
  }

  Row with(String name, @Nullable Object value) {
    members.put(name, value);
    return this;
  }

  /** Adds the members of another object behind these. */
  Row and(Row other) {
    members.putAll(other.members);
    return this;
  }

  /** The members of this object only as far as they are named. */
  Row only(String... names) {
    Row row = new Row();
    for (String name : names) {
      row.members.put(name, members.get(name));
    }
    return row;
  }

  @Nullable Object get(String name) {
    return members.get(name);
  }

  /** A number of this object, 0 where there is none. */
  double number(String name) {
    return members.get(name) instanceof Number number ? number.doubleValue() : 0;
  }

  String text(String name) {
    return String.valueOf(members.get(name));
  }

  @JsonValue
  Map<String, @Nullable Object> members() {
    return members;
  }

  /** The same objects with their rank, from 1, before everything else. */
  static List<Row> ranked(List<Row> rows) {
    List<Row> ranked = new ArrayList<>(rows.size());
    for (Row row : rows) {
      ranked.add(Row.of("rank", ranked.size() + 1).and(row));
    }
    return ranked;
  }
}
