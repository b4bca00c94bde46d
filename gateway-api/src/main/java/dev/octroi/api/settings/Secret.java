package dev.octroi.api.settings;

/**
 * A value that never shows in a log, a message or a debugger's string: being a type and not a mark
 * on a component, no record that holds one can forget to mask it.
 */
public record Secret(String value) {

  @Override
  public String toString() {
    return value.isEmpty() ? "" : "****";
  }
}
