package dev.octroi.api.console;

import dev.octroi.payments.Sha256;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.HexFormat;

/**
 * A file of the console as it is sent.
 *
 * @param type its media type
 * @param tag a weak tag of its bytes: they may be sent compressed
 */
record ConsoleFile(byte[] bytes, String type, String tag) {

  private static final int TAG_BYTES = 12;

  /**
   * Reads a file from beside this class.
   *
   * @throws IllegalStateException if the jar does not have it
   */
  static ConsoleFile read(String name) {
    try (InputStream in = ConsoleFile.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new IllegalStateException("the console's " + name + " is missing from the jar");
      }
      byte[] bytes = in.readAllBytes();
      byte[] start = Arrays.copyOf(Sha256.of(bytes), TAG_BYTES);
      return new ConsoleFile(bytes, type(name), "W/\"" + HexFormat.of().formatHex(start) + '"');
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String type(String name) {
    return switch (name.substring(name.lastIndexOf('.') + 1)) {
      case "html" -> "text/html; charset=utf-8";
      case "css" -> "text/css; charset=utf-8";
      case "js" -> "text/javascript; charset=utf-8";
      case "svg" -> "image/svg+xml";
      default -> throw new IllegalArgumentException(name);
    };
  }
}
