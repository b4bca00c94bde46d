package dev.octroi.sandbox.vendor;

import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A misbehaviour that a request asks the sandbox for by a magic value, so that callers can try how
 * they take a bad upstream. The forms are listed in {@code README.md}.
 *
 * @param kind what happens
 * @param value milliseconds for {@link Kind#SLOW}, status for {@link Kind#FAIL}, otherwise 0
 */
public record Magic(Kind kind, int value) {

  private static final int DEFAULT_SLOW_MILLIS = 2_000;
  private static final int MAX_SLOW_MILLIS = 120_000;
  private static final int DEFAULT_STATUS = 503;

  /** {@code octroi-slow-2000}, {@code octroi_fail_503}, {@code OCTROIHANG}, anywhere in a text. */
  private static final Pattern WORD =
      Pattern.compile(
          "(?<![a-z0-9])octroi[-_]?(slow|fail|hang|cut|malformed|empty|huge)[-_]?(\\d{1,6})?(?![a-z0-9])");

  /** {@code sandbox:slow=40}, {@code sandbox:fail}, anywhere in a prompt; seconds or a status. */
  private static final Pattern PROMPT =
      Pattern.compile(
          "(?<![a-z0-9])sandbox:(slow|fail|hang|cut|malformed|empty|huge)(?:=(\\d{1,3}))?(?![a-z0-9])");

  /** {@code SLOW2000-OCTROI}: the form that is a trading pair too. */
  private static final Pattern PAIR =
      Pattern.compile("(slow|fail|hang|cut|malformed|empty|huge)(\\d{1,6})?[-/_]octroi");

  /** 0x0c7201, the kind's two digits, zeros, five decimal digits: 40 or 64 digits in all. */
  private static final Pattern HEX = Pattern.compile("0x0c7201(0[1-7])0{27}(?:0{24})?(\\d{5})");

  /** {@code octroi}, the kind's letter and 36 ones: the base58 of 32 bytes. */
  private static final Pattern BASE58 = Pattern.compile("octroi([sfhcmeg])1{36}");

  /** What the sandbox does instead of answering well. */
  public enum Kind {
    SLOW('s'),
    FAIL('f'),
    HANG('h'),
    CUT('c'),
    MALFORMED('m'),
    EMPTY('e'),
    HUGE('g');

    private final char letter;

    Kind(char letter) {
      this.letter = letter;
    }

    private static Kind lettered(char letter) {
      for (Kind kind : values()) {
        if (kind.letter == letter) {
          return kind;
        }
      }
      throw new IllegalArgumentException("No magic has the letter " + letter);
    }
  }

  /** The misbehaviour named in one parameter value, if it names one. */
  public static Optional<Magic> in(String text) {
    String value = text.toLowerCase(Locale.ROOT);
    Matcher word = WORD.matcher(value);
    if (word.find()) {
      return Optional.of(named(word.group(1), word.group(2)));
    }
    Matcher prompt = PROMPT.matcher(value);
    if (prompt.find()) {
      return Optional.of(prompted(prompt.group(1), prompt.group(2)));
    }
    Matcher pair = PAIR.matcher(value);
    if (pair.matches()) {
      return Optional.of(named(pair.group(1), pair.group(2)));
    }
    Matcher hex = HEX.matcher(value);
    if (hex.matches()) {
      Kind kind = Kind.values()[Integer.parseInt(hex.group(1)) - 1];
      return Optional.of(of(kind, Integer.parseInt(hex.group(2))));
    }
    Matcher base58 = BASE58.matcher(text);
    return base58.matches()
        ? Optional.of(of(Kind.lettered(base58.group(1).charAt(0)), 0))
        : Optional.empty();
  }

  private static Magic prompted(String kind, @Nullable String number) {
    int value = number == null ? 0 : Integer.parseInt(number);
    return kind.equals("slow") ? of(Kind.SLOW, value * 1_000) : named(kind, number);
  }

  private static Magic named(String kind, @Nullable String number) {
    return of(
        Kind.valueOf(kind.toUpperCase(Locale.ROOT)), number == null ? 0 : Integer.parseInt(number));
  }

  private static Magic of(Kind kind, int number) {
    return switch (kind) {
      case SLOW ->
          new Magic(kind, number == 0 ? DEFAULT_SLOW_MILLIS : Math.min(number, MAX_SLOW_MILLIS));
      case FAIL -> new Magic(kind, number < 400 || number > 599 ? DEFAULT_STATUS : number);
      default -> new Magic(kind, 0);
    };
  }
}
