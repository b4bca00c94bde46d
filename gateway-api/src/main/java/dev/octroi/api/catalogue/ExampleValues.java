package dev.octroi.api.catalogue;

import dev.octroi.api.group.Group;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.Properties;

/**
 * Values that the sandbox knows for the parameters of a group's reads, by row or for all of them,
 * from {@code examples.properties} beside the group's class. Immutable.
 */
final class ExampleValues {

  private final Properties values = new Properties();

  ExampleValues(Group group) {
    try (InputStream in = group.getClass().getResourceAsStream("examples.properties")) {
      if (in != null) {
        values.load(new InputStreamReader(in, StandardCharsets.UTF_8));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A value for a parameter of a row. */
  Optional<String> of(String row, String name) {
    return Optional.ofNullable(values.getProperty(row + "." + name))
        .or(() -> Optional.ofNullable(values.getProperty(name)));
  }

  /** Whether a row has an example of a parameter that it would do without. */
  boolean isGiven(String row, String name) {
    return values.containsKey(row + "." + name);
  }
}
