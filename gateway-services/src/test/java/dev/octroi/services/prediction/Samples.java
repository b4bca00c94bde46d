package dev.octroi.services.prediction;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Objects;

/** Bodies in the vendor's shapes, and tables transcribed from the specification. */
final class Samples {

  private Samples() {}

  static byte[] bytes(String name) {
    try (InputStream in = Samples.class.getResourceAsStream(name)) {
      return Objects.requireNonNull(in, name).readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static String text(String name) {
    return new String(bytes(name), UTF_8);
  }

  /** The lines but for comments. */
  static List<String> lines(String name) {
    return text(name).lines().filter(line -> !line.startsWith("#")).toList();
  }
}
