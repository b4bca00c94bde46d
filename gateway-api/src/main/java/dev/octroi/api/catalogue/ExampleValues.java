package dev.octroi.api.catalogue;

import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.Properties;

/**
 * Values that the sandbox knows, from {@code examples.properties}: by row, or by name within a
 * group. Immutable.
 */
final class ExampleValues {

  private final Properties values;

  private ExampleValues(Properties values) {
    this.values = values;
  }

  static ExampleValues read() {
    Properties values = new Properties();
    try (InputStream in = ExampleValues.class.getResourceAsStream("examples.properties")) {
      if (in == null) {
        throw new IllegalStateException("the jar has no examples.properties");
      }
      values.load(new InputStreamReader(in, StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return new ExampleValues(values);
  }

  /** A value for a parameter of a row. */
  Optional<String> of(String group, String row, String name) {
    return Optional.ofNullable(values.getProperty(group + "." + row + "." + name))
        .or(() -> Optional.ofNullable(values.getProperty(group + "." + name)));
  }

  /** Whether a row has an example of a parameter that it would do without. */
  boolean isGiven(String group, String row, String name) {
    return values.containsKey(group + "." + row + "." + name);
  }
}
