package dev.octroi.api.path;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A path that proxies, containers and we read alike: plain segments, escapes only where they are
 * needed. Anything else could be one resource to what checks a payment and another to what runs the
 * call, and is refused.
 */
final class PlainPath {

  /** RFC 3986 pchar without the semicolon, which JAX-RS cuts off with what follows it. */
  private static final Pattern SEGMENT = Pattern.compile("[A-Za-z0-9\\-._~!$&'()*+,=:@%]+");

  /**
   * Looked for by itself: as one branch of a repeated group it would cost stack for every character
   * of a long query.
   */
  private static final Pattern BROKEN_ESCAPE = Pattern.compile("%(?![0-9A-Fa-f]{2})");

  private static final Pattern ESCAPE = Pattern.compile("%([0-9A-Fa-f]{2})");

  /** Escapes of what never needs one; the tilde is missing because common encoders escape it. */
  private static final Pattern NEEDLESS_ESCAPE =
      Pattern.compile("%(?:2[DdEe]|3[0-9]|4[1-9A-Fa-f]|5[0-9AaFf]|6[1-9A-Fa-f]|7[0-9Aa])");

  private static final boolean[] SIMPLE = new boolean['z' + 1];

  static {
    "/-_0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
        .chars()
        .forEach(c -> SIMPLE[c] = true);
  }

  private PlainPath() {}

  /** What is wrong with a raw request target, if anything is. */
  static Optional<PathFault> fault(String rawPath, @Nullable String rawQuery) {
    if (rawQuery != null
        && isEscaped(rawQuery)
        && (isBroken(rawQuery) || decoded(rawQuery) == null)) {
      return Optional.of(PathFault.QUERY);
    }
    if (!rawPath.startsWith("/")) {
      return Optional.of(PathFault.SEGMENT);
    }
    if (rawPath.length() == 1 || isSimple(rawPath)) {
      return Optional.empty();
    }
    String path = rawPath.substring(1);
    PathFault found = null;
    for (String segment : path.split("/", -1)) {
      PathFault fault = segment(segment);
      // The worst wins: an empty segment is only a path that is not there.
      if (fault != null && (found == null || fault.status() < found.status())) {
        found = fault;
      }
    }
    return Optional.ofNullable(found);
  }

  /** Letters, digits, hyphens and underscores between single slashes, as in nearly every path. */
  private static boolean isSimple(String rawPath) {
    char before = 'a';
    for (int i = 0; i < rawPath.length(); i++) {
      char c = rawPath.charAt(i);
      boolean plain = c < SIMPLE.length && SIMPLE[c] && (c != '/' || before != '/');
      if (!plain) {
        return false;
      }
      before = c;
    }
    return before != '/';
  }

  private static @Nullable PathFault segment(String segment) {
    if (segment.isEmpty()) {
      return PathFault.EMPTY_SEGMENT;
    }
    if (!SEGMENT.matcher(segment).matches()) {
      return PathFault.SEGMENT;
    }
    if (segment.equals(".") || segment.equals("..")) {
      return PathFault.DOTS;
    }
    return isEscaped(segment) ? escaped(segment) : null;
  }

  private static @Nullable PathFault escaped(String segment) {
    if (isBroken(segment)) {
      return PathFault.SEGMENT;
    }
    String decoded = decoded(segment);
    boolean hides =
        decoded == null
            || NEEDLESS_ESCAPE.matcher(segment).find()
            || decoded.chars().anyMatch(PlainPath::separatesOrControls)
            || ESCAPE.matcher(decoded).find();
    return hides ? PathFault.ESCAPE : null;
  }

  private static boolean isEscaped(String raw) {
    return raw.indexOf('%') >= 0;
  }

  private static boolean isBroken(String raw) {
    return BROKEN_ESCAPE.matcher(raw).find();
  }

  private static boolean separatesOrControls(int character) {
    return character == '/'
        || character == '\\'
        || character == ';'
        || Character.isISOControl(character);
  }

  /** The text that the escapes stand for; null unless it is shortest-form UTF-8. */
  private static @Nullable String decoded(String raw) {
    ByteBuffer bytes = ByteBuffer.allocate(raw.length() * 4);
    Matcher escape = ESCAPE.matcher(raw);
    int at = 0;
    while (escape.find()) {
      bytes.put(raw.substring(at, escape.start()).getBytes(StandardCharsets.UTF_8));
      bytes.put((byte) Integer.parseInt(escape.group(1), 16));
      at = escape.end();
    }
    bytes.put(raw.substring(at).getBytes(StandardCharsets.UTF_8)).flip();
    try {
      CharBuffer text =
          StandardCharsets.UTF_8
              .newDecoder()
              .onMalformedInput(CodingErrorAction.REPORT)
              .onUnmappableCharacter(CodingErrorAction.REPORT)
              .decode(bytes);
      return text.toString();
    } catch (CharacterCodingException e) {
      return null;
    }
  }

  /** Why a path or query is refused before anything is matched. */
  enum PathFault {
    SEGMENT(400, "The path has a character that does not stand in a path here."),
    ESCAPE(400, "The path has an escape that hides a character, or is no UTF-8."),
    DOTS(400, "The path has a dot segment."),
    QUERY(400, "The query has a broken escape, or is no UTF-8."),
    UNESCAPED(400, "The query has a character beyond ASCII that is not escaped."),
    EMPTY_SEGMENT(404, "There is no such path: it has an empty segment.");

    private final int status;
    private final String message;

    PathFault(int status, String message) {
      this.status = status;
      this.message = message;
    }

    int status() {
      return status;
    }

    String message() {
      return message;
    }
  }
}
