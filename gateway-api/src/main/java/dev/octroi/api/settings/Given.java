package dev.octroi.api.settings;

/**
 * A value as some source gives it.
 *
 * @param name the full key, or the name of an environment variable
 * @param value never shown in messages where the key is a secret
 * @param place what a message calls it: {@code octroi.properties:12}
 * @param origin who gave it
 */
public record Given(String name, String value, String place, Origin origin) {

  /** Who gave a value. */
  public enum Origin {
    /** An operator, by the setting's own name. */
    KEY,
    /** An operator, by an environment variable. */
    VARIABLE,
    /** The program, which like a default obeys the constraints. */
    PROGRAM
  }

  /** The same by the full key of its setting. */
  Given as(String key) {
    return new Given(key, value, GivenValues.describe(this), Origin.KEY);
  }

  /** Without the value, which may be a secret. */
  @Override
  public String toString() {
    return name + " (" + place + ")";
  }

  boolean isVariable() {
    return origin == Origin.VARIABLE;
  }

  /** Whether it can break a constraint. */
  boolean isOperators() {
    return origin != Origin.PROGRAM;
  }
}
