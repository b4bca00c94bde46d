package dev.octroi.services;

import java.io.IOException;
import java.io.InputStream;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.Properties;

/** Reads the files that lie beside a class in its jar. */
public final class JarResource {

  private JarResource() {}

  /**
   * A file's bytes.
   *
   * @throws IllegalStateException if the jar does not have it
   */
  public static byte[] bytes(Class<?> beside, String name) {
    return find(beside, name)
        .orElseThrow(() -> new IllegalStateException("the jar has no " + name));
  }

  /**
   * A file's text.
   *
   * @throws IllegalStateException if the jar does not have it
   */
  public static String text(Class<?> beside, String name) {
    return new String(bytes(beside, name), StandardCharsets.UTF_8);
  }

  /** The lines of a properties file; none where the jar does not have it. */
  public static Properties properties(Class<?> beside, String name) {
    Properties properties = new Properties();
    find(beside, name)
        .map(bytes -> new StringReader(new String(bytes, StandardCharsets.UTF_8)))
        .ifPresent(
            text -> {
              try {
                properties.load(text);
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
            });
    return properties;
  }

  private static Optional<byte[]> find(Class<?> beside, String name) {
    try (InputStream file = beside.getResourceAsStream(name)) {
      return file == null ? Optional.empty() : Optional.of(file.readAllBytes());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
