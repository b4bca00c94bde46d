package dev.octroi.sandbox.formula;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A JSON object in the making. As the argument of {@code choose} it is a table of expressions of
 * which one is evaluated.
 */
record ObjectFormula(List<Member> members) implements Formula {

  /**
   * One member.
   *
   * @param key its name; null for the members of the object that the value is
   */
  record Member(@Nullable Formula key, Formula value) {

    private String name(Scope scope) {
      return key == null ? "" : String.valueOf(key.value(scope));
    }
  }

  @Override
  public Row value(Scope scope) {
    Row row = new Row();
    for (Member member : members) {
      Object value = member.value.value(scope);
      if (member.key != null) {
        row.put(member.name(scope), value);
      } else if (value instanceof Map<?, ?> others) {
        others.forEach((name, other) -> row.put(String.valueOf(name), other));
      }
    }
    return row;
  }

  /** The names of the members. */
  List<String> names(Scope scope) {
    return members.stream().map(member -> member.name(scope)).toList();
  }

  /** The expression of a member; null where there is none of that name. */
  @Nullable Formula member(Scope scope, String name) {
    for (Member member : members) {
      if (member.name(scope).equals(name)) {
        return member.value;
      }
    }
    return null;
  }
}
