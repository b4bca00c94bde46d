package dev.octroi.services.read;

import dev.octroi.services.ErrorCode;
import dev.octroi.services.Failure;
import java.math.BigDecimal;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** What a single value must look like. */
final class ValueRules {

  /** No identifier, word or address is nearly as long. */
  static final int MAX_LENGTH = 2048;

  /** A search text may be as long as the web search allows (specification, query length). */
  private static final int MAX_TEXT = 10_000;

  private static final int MAX_ELEMENTS = 1000;

  private static final Pattern INTEGER = Pattern.compile("-?\\d{1,18}");
  private static final Pattern DECIMAL = Pattern.compile("-?\\d{1,18}(\\.\\d{1,18})?");
  private static final Pattern SECONDS = Pattern.compile("\\d{1,11}");
  private static final Pattern PAIR = Pattern.compile("[A-Za-z0-9]{2,20}-[A-Za-z0-9]{2,20}");
  private static final Pattern EVM_ADDRESS = Pattern.compile("0x[0-9a-fA-F]{40}");

  private ValueRules() {}

  static void check(Parameter parameter, String value) {
    String name = parameter.name();
    checkText(name, value, name.equals("q") ? MAX_TEXT : MAX_LENGTH);
    switch (parameter.kind()) {
      case INTEGER -> require(INTEGER.matcher(value).matches(), name + " is an integer");
      case DECIMAL -> require(DECIMAL.matcher(value).matches(), name + " is a number");
      case BOOLEAN ->
          require(value.equals("true") || value.equals("false"), name + " is a boolean");
      case TIME -> require(SECONDS.matcher(value).matches(), name + " is a time in Unix seconds");
      case PAIR ->
          require(PAIR.matcher(value).matches(), ErrorCode.INVALID_PAIR, name + " is BASE-QUOTE");
      case EVM_ADDRESS ->
          require(
              EVM_ADDRESS.matcher(value).matches(),
              ErrorCode.INVALID_ADDRESS,
              name + " is 0x and 40 hexadecimal digits");
      case BASE58_ADDRESS ->
          require(
              Base58.isOfBytes(value, 32),
              ErrorCode.INVALID_ADDRESS,
              name + " is base58 of 32 bytes");
      case TEXT, LIST -> {}
    }
    if (parameter.kind() == Parameter.Kind.INTEGER
        || parameter.kind() == Parameter.Kind.DECIMAL
        || parameter.kind() == Parameter.Kind.TIME) {
      checkBounds(parameter, new BigDecimal(value));
    }
    require(
        parameter.allowed().isEmpty() || parameter.allowed().contains(value),
        name + " is one of " + String.join(", ", parameter.allowed()));
  }

  /** How many elements a list may have: its maximum, or a thousand. */
  static void checkCount(Parameter list, int count) {
    BigDecimal max = list.max();
    int most = max == null ? MAX_ELEMENTS : max.intValueExact();
    require(count <= most, list.name() + " has at most " + most + " elements");
  }

  /** A path segment that no server on the way can take for more than one, or for a parent. */
  static void checkSegment(String name, String value) {
    boolean structural = value.chars().anyMatch(c -> c == '/' || c == '\\' || c == '%');
    require(!structural && !value.equals(".") && !value.equals(".."), name + " is malformed");
  }

  static void checkText(String name, String value, int longest) {
    require(value.length() <= longest, name + " is longer than " + longest + " characters");
    boolean clean = value.codePoints().noneMatch(c -> Character.isISOControl(c) || surrogate(c));
    require(clean, name + " holds a control character");
  }

  private static boolean surrogate(int codePoint) {
    return Character.getType(codePoint) == Character.SURROGATE;
  }

  private static void checkBounds(Parameter parameter, BigDecimal number) {
    BigDecimal min = parameter.min();
    BigDecimal max = parameter.max();
    boolean within =
        (min == null || number.compareTo(min) >= 0) && (max == null || number.compareTo(max) <= 0);
    require(within, parameter.name() + " is " + range(min, max));
  }

  private static String range(@Nullable BigDecimal min, @Nullable BigDecimal max) {
    if (min == null) {
      return "at most " + max;
    }
    return max == null ? "at least " + min : "from " + min + " to " + max;
  }

  private static void require(boolean holds, String message) {
    require(holds, ErrorCode.INVALID_PARAMS, message);
  }

  private static void require(boolean holds, ErrorCode code, String message) {
    if (!holds) {
      throw new Failure(code, message);
    }
  }
}
