package dev.octroi.api.path;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What the most careless reader would take a path for. Only asks whether a path could be meant for
 * the gateway, so that a host's other paths are left alone.
 */
final class LenientPath {

  private static final Pattern ESCAPE = Pattern.compile("%([0-9A-Fa-f]{2})");

  /** Two rounds of decoding: a proxy may do one and a container the other. */
  private static final int ROUNDS = 2;

  private LenientPath() {}

  /** Decoded, in lower case, without parameters, empty segments and dot segments. */
  static String of(String raw) {
    String path = raw;
    for (int round = 0; round < ROUNDS; round++) {
      path =
          ESCAPE
              .matcher(path)
              .replaceAll(
                  found ->
                      Matcher.quoteReplacement(
                          String.valueOf((char) Integer.parseInt(found.group(1), 16))));
    }
    Deque<String> segments = new ArrayDeque<>();
    for (String segment : path.replace('\\', '/').split("/")) {
      String plain = segment.replaceFirst(";.*", "").strip();
      if (plain.equals("..")) {
        segments.pollLast();
      } else if (!plain.isEmpty() && !plain.equals(".")) {
        segments.addLast(plain);
      }
    }
    return ("/" + String.join("/", segments)).toLowerCase(Locale.ROOT);
  }
}
