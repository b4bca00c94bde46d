package dev.octroi.sandbox.formula;

import org.jspecify.annotations.Nullable;

/** An expression, ready to be evaluated. Thread-safe. */
@FunctionalInterface
public interface Formula {

  @Nullable Object value(Scope scope);

  /** What {@code $name} is made of: functions that refuse a parameter name it. */
  record Parameter(String name) implements Formula {

    @Override
    public @Nullable Object value(Scope scope) {
      return scope.call().text(name);
    }
  }
}
