package dev.octroi.api.asset;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A part of a file (RFC 9110, section 14).
 *
 * @param from first byte
 * @param length 1 and up; 0 if there is no such part
 */
record ByteRange(long from, long length) {

  /** What is read is not given back: else a header of blanks would take their number squared. */
  private static final Pattern SINGLE =
      Pattern.compile("bytes=\\s*+([0-9]{0,18}+)\\s*+-\\s*+([0-9]{0,18}+)\\s*+");

  private static final ByteRange NONE = new ByteRange(0, 0);

  /**
   * What a {@code Range} header asks for.
   *
   * @return empty if the whole is to be sent: no header, several ranges, or not understood
   */
  static Optional<ByteRange> of(@Nullable String header, long whole) {
    Matcher asked = header == null ? null : SINGLE.matcher(header);
    if (asked == null || !asked.matches()) {
      return Optional.empty();
    }
    String first = asked.group(1);
    String last = asked.group(2);
    if (first.isEmpty()) {
      return last.isEmpty() ? Optional.empty() : Optional.of(tail(Long.parseLong(last), whole));
    }
    long from = Long.parseLong(first);
    long to = last.isEmpty() ? whole - 1 : Math.min(Long.parseLong(last), whole - 1);
    if (!last.isEmpty() && Long.parseLong(last) < from) {
      return Optional.empty();
    }
    return Optional.of(from < whole ? new ByteRange(from, to - from + 1) : NONE);
  }

  private static ByteRange tail(long bytes, long whole) {
    long length = Math.min(bytes, whole);
    return new ByteRange(whole - length, length);
  }

  boolean isNone() {
    return length == 0;
  }

  /** The value of {@code Content-Range}. */
  String of(long whole) {
    return isNone()
        ? "bytes */" + whole
        : "bytes " + from + "-" + (from + length - 1) + "/" + whole;
  }
}
