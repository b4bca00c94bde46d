package dev.octroi.sandbox.cryptodata;

import dev.octroi.sandbox.formula.Refusal;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * One parameter that the vendor takes, with its check.
 *
 * @param type {@code int}, {@code num}, {@code bool} or {@code text}
 * @param defaultValue taken where the caller gives none
 * @param allowed the only values taken; empty for any
 */
record Accepted(
    String name,
    boolean required,
    String type,
    @Nullable String defaultValue,
    List<String> allowed,
    double least,
    double most) {

  private static final Pattern LINE =
      Pattern.compile(
          "([\\w]+)(!?)(?::(\\w+))?(?:=([^{\\[]*))?(?:\\{(.*)})?(?:\\[(\\d*),(\\d*)])?");

  /** Reads a line such as {@code limit:int=20[1,100]}. */
  static Accepted parse(String line) {
    Matcher matcher = LINE.matcher(line);
    if (!matcher.matches()) {
      throw new IllegalArgumentException("Not a parameter: " + line);
    }
    return new Accepted(
        matcher.group(1),
        !matcher.group(2).isEmpty(),
        matcher.group(3) == null ? "text" : matcher.group(3),
        matcher.group(4),
        matcher.group(5) == null ? List.of() : List.of(matcher.group(5).split(",")),
        bound(matcher.group(6), Double.NEGATIVE_INFINITY),
        bound(matcher.group(7), Double.POSITIVE_INFINITY));
  }

  private static double bound(@Nullable String digits, double otherwise) {
    return digits == null || digits.isEmpty() ? otherwise : Double.parseDouble(digits);
  }

  /**
   * Checks a value.
   *
   * @throws Refusal if it is missing or bad
   */
  void check(@Nullable String given) {
    if (given == null || given.isEmpty()) {
      if (required) {
        throw Refusal.missing(name);
      }
      return;
    }
    boolean good =
        switch (type) {
          case "int", "num" -> inRange(given);
          case "bool" -> given.equals("true") || given.equals("false");
          default -> allowed.isEmpty() || allowed.contains(given);
        };
    if (!good) {
      throw Refusal.invalid(name, "value", "Input is out of range or invalid");
    }
  }

  private boolean inRange(String given) {
    if (!given.matches(type.equals("int") ? "-?\\d{1,15}" : "-?\\d{1,15}(\\.\\d{1,9})?")) {
      return false;
    }
    double number = Double.parseDouble(given);
    return number >= least && number <= most;
  }
}
