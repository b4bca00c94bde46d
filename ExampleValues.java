package dev.octroi.api.openapi;

import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.Properties;
import java.util.stream.Stream;

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

  /**
   * A value for a parameter.
   *
   * @param required whether a call needs one; another is given one only by its row
   */
  Optional<String> of(String group, String row, String name, boolean required) {
    Stream<String> byRow = Stream.of(group + "." + row + "." + name);
    Stream<String> keys = required ? Stream.concat(byRow, Stream.of(group + "." + name)) : byRow;
    return keys.map(values::getProperty).filter(value -> value != null).findFirst();
  }
}
