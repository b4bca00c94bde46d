package dev.octroi.services.read;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** One segment of a request path, as the value that it carries. */
final class PathSegment {

  /** Longer than any identifier of an upstream; a longer one names nothing. */
  private static final int MAX_LENGTH = 512;

  private PathSegment() {}

  /**
   * Percent-decodes a segment strictly (RFC 3986 section 2.1, UTF-8).
   *
   * @return empty for a segment that is malformed, or whose value could move the path somewhere
   *     else once it stands in an upstream's: empty, dots alone, slashes, semicolons and control
   *     characters
   */
  static Optional<String> decode(String segment) {
    if (segment.length() > MAX_LENGTH) {
      return Optional.empty();
    }
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(segment.length());
    for (int i = 0; i < segment.length(); i++) {
      char c = segment.charAt(i);
      if (c == '%') {
        int octet = octet(segment, i);
        if (octet < 0) {
          return Optional.empty();
        }
        bytes.write(octet);
        i += 2;
      } else if (c > ' ' && c < 0x7f) {
        bytes.write(c);
      } else {
        return Optional.empty();
      }
    }
    return text(bytes.toByteArray()).filter(PathSegment::staysInPlace);
  }

  private static int octet(String segment, int percent) {
    if (percent + 2 >= segment.length()) {
      return -1;
    }
    int high = Character.digit(segment.charAt(percent + 1), 16);
    int low = Character.digit(segment.charAt(percent + 2), 16);
    return high < 0 || low < 0 ? -1 : high << 4 | low;
  }

  private static Optional<String> text(byte[] bytes) {
    try {
      // A fresh decoder reports malformed and overlong sequences instead of replacing them.
      return Optional.of(
          StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString());
    } catch (CharacterCodingException malformed) {
      return Optional.empty();
    }
  }

  private static boolean staysInPlace(String value) {
    return !value.isEmpty()
        && !value.equals(".")
        && !value.equals("..")
        && value
            .chars()
            .noneMatch(c -> c == '/' || c == '\\' || c == ';' || Character.isISOControl(c));
  }
}
