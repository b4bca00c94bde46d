package dev.octroi.payments.flow;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The one spelling of paths that mean the same (RFC 3986, 6.2.2): capital escapes, none of what
 * needs none, all else but ASCII escaped.
 */
final class PathSpelling {

  private static final Pattern ESCAPE = Pattern.compile("%([0-9A-Fa-f]{2})");
  private static final Pattern UNRESERVED = Pattern.compile("[A-Za-z0-9._~-]");

  private PathSpelling() {}

  /**
   * Spells an encoded path; what is no path stays as it is.
   *
   * @param path begins with a slash
   */
  static String of(String path) {
    if (path.indexOf('%') < 0 && StandardCharsets.US_ASCII.newEncoder().canEncode(path)) {
      return path;
    }
    String ascii;
    try {
      ascii = URI.create(path).toASCIIString();
    } catch (IllegalArgumentException e) {
      return path;
    }
    return ESCAPE
        .matcher(ascii)
        .replaceAll(escape -> Matcher.quoteReplacement(spelled(escape.group(1))));
  }

  private static String spelled(String digits) {
    String character = String.valueOf((char) Integer.parseInt(digits, 16));
    return UNRESERVED.matcher(character).matches()
        ? character
        : "%" + digits.toUpperCase(Locale.ROOT);
  }
}
