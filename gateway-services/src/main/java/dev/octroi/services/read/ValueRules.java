package dev.octroi.services.read;

import dev.octroi.services.ErrorCode;
import dev.octroi.services.Failure;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What a single value must look like. */
final class ValueRules {

  /** The same for what no row lists. */
  static final int MAX_LENGTH = Parameter.LONGEST;

  private static final Map<Parameter.Kind, Pattern> FORMS =
      Arrays.stream(Parameter.Kind.values())
          .collect(Collectors.toMap(kind -> kind, kind -> Pattern.compile(kind.form())));

  private ValueRules() {}

  static void check(Parameter parameter, String value) {
    String name = parameter.name();
    checkText(name, value, parameter.longest());
    switch (parameter.kind()) {
      case INTEGER -> require(isOfForm(parameter, value), name + " is an integer");
      case DECIMAL -> require(isOfForm(parameter, value), name + " is a number");
      case BOOLEAN -> require(isOfForm(parameter, value), name + " is a boolean");
      case TIME -> require(isOfForm(parameter, value), name + " is a time in Unix seconds");
      case DATE -> require(isOfForm(parameter, value), name + " is a date, YYYY-MM-DD");
      case PAIR ->
          require(isOfForm(parameter, value), ErrorCode.INVALID_PAIR, name + " is BASE-QUOTE");
      case EVM_ADDRESS ->
          require(
              isOfForm(parameter, value),
              ErrorCode.INVALID_ADDRESS,
              name + " is 0x and 40 hexadecimal digits");
      case BASE58_ADDRESS ->
          require(
              Base58.isOfBytes(value, 32),
              ErrorCode.INVALID_ADDRESS,
              name + " is base58 of 32 bytes");
      case TEXT ->
          require(
              value.length() >= parameter.shortest(),
              name + " is shorter than " + parameter.shortest() + " characters");
      case LIST -> {}
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

  private static boolean isOfForm(Parameter parameter, String value) {
    Pattern form = FORMS.get(parameter.kind());
    return form != null && form.matcher(value).matches();
  }

  static void checkCount(Parameter list, int count) {
    int most = list.mostElements();
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

  /** The length of what a base58 text stands for. */
  private static final class Base58 {

    private static final String ALPHABET =
        "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";
    private static final BigInteger RADIX = BigInteger.valueOf(58);
    private static final int LONGEST = 64;

    private Base58() {}

    /** Whether the text is base58 of exactly so many bytes; a leading 1 is a zero byte. */
    static boolean isOfBytes(String text, int bytes) {
      if (text.isEmpty() || text.length() > LONGEST) {
        return false;
      }
      BigInteger number = BigInteger.ZERO;
      int zeros = 0;
      for (int at = 0; at < text.length(); at++) {
        int digit = ALPHABET.indexOf(text.charAt(at));
        if (digit < 0) {
          return false;
        }
        zeros += number.signum() == 0 && digit == 0 ? 1 : 0;
        number = number.multiply(RADIX).add(BigInteger.valueOf(digit));
      }
      return zeros + (number.bitLength() + 7) / 8 == bytes;
    }
  }
}
