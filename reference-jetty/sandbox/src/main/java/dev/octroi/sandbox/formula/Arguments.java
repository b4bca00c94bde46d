package dev.octroi.sandbox.formula;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What a function of the language is given, unevaluated: an argument that speaks of each element of
 * a list is evaluated for each. Not thread-safe; made for each call.
 */
public final class Arguments {

  private final Scope scope;
  private final Formula[] formulas;

  Arguments(Scope scope, Formula... formulas) {
    this.scope = scope;
    this.formulas = formulas;
  }

  public Scope scope() {
    return scope;
  }

  public int count() {
    return formulas.length;
  }

  Formula formula(int at) {
    return formulas[at];
  }

  public @Nullable Object value(int at) {
    return formulas[at].value(scope);
  }

  public String text(int at) {
    return Values.text(value(at));
  }

  public double number(int at) {
    return Values.number(value(at));
  }

  public long whole(int at) {
    return Values.whole(value(at));
  }

  public int place(int at) {
    return (int) whole(at);
  }

  public boolean truth(int at) {
    return Values.truth(value(at));
  }

  public List<?> list(int at) {
    return Values.list(value(at));
  }

  /** An argument that has to be of a type. */
  public <T> T of(int at, Class<T> type) {
    return type.cast(Objects.requireNonNull(value(at)));
  }

  public Row row(int at) {
    return of(at, Row.class);
  }

  /** A text, or the texts of a list. */
  List<String> words(int at) {
    return value(at) instanceof List<?> list
        ? list.stream().map(Values::text).toList()
        : List.of(text(at));
  }

  /** An argument that speaks of an item. */
  public @Nullable Object about(@Nullable Object item, int at) {
    return scope.of(item, formulas[at]);
  }

  /** An argument that speaks of each item of a list. */
  public List<?> aboutEach(List<?> items, int at) {
    List<@Nullable Object> values = new ArrayList<>(items.size());
    for (Object item : items) {
      values.add(about(item, at));
    }
    return values;
  }

  /** An argument that speaks of each time of a list. */
  List<?> atEach(List<?> times, int at) {
    List<@Nullable Object> values = new ArrayList<>(times.size());
    for (Object time : times) {
      values.add(scope.at(Values.whole(time), formulas[at]));
    }
    return values;
  }

  /** The seed that the arguments from a place on make. */
  long key(int from) {
    @Nullable Object[] words = new @Nullable Object[formulas.length - from];
    for (int at = 0; at < words.length; at++) {
      words[at] = value(from + at);
    }
    return Chance.key(words);
  }

  /** The name of the parameter that an argument is; empty if it is none. */
  String parameter(int at) {
    return formulas[at] instanceof Formula.Parameter parameter ? parameter.name() : "";
  }
}
