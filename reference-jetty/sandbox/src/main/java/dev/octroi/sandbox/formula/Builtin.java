package dev.octroi.sandbox.formula;

import org.jspecify.annotations.Nullable;

/** A function of the language. Thread-safe. */
@FunctionalInterface
public interface Builtin {

  @Nullable Object apply(Arguments in);

  /** Functions by their names. */
  @FunctionalInterface
  interface Source {

    /** The function of a name; null if there is none. */
    @Nullable Builtin of(String name);
  }
}
