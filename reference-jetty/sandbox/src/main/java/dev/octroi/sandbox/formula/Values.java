package dev.octroi.sandbox.formula;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The values of the language and their arithmetic: whole numbers ({@link Long}), numbers ({@link
 * Double}), texts, booleans, lists, items and null.
 */
public final class Values {

  /** Null comes last. */
  static final Comparator<@Nullable Object> ORDER = Values::compare;

  /** Beyond this a double no longer holds every thousandth. */
  private static final double EXACT = 1e12;

  private static final double[] TENS = {1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9};
  private static final MathContext EIGHT_DIGITS = new MathContext(8);

  private Values() {}

  public static double number(@Nullable Object value) {
    if (value instanceof Number number) {
      return number.doubleValue();
    }
    throw new IllegalArgumentException("not a number: " + value);
  }

  public static long whole(@Nullable Object value) {
    if (value instanceof Number number) {
      return number.longValue();
    }
    throw new IllegalArgumentException("not a number: " + value);
  }

  public static List<?> list(@Nullable Object value) {
    if (value instanceof List<?> list) {
      return list;
    }
    throw new IllegalArgumentException("not a list: " + value);
  }

  static boolean truth(@Nullable Object value) {
    return value != null && !Boolean.FALSE.equals(value);
  }

  /** Whole numbers without a point, other values as they are. */
  public static String text(@Nullable Object value) {
    boolean isWhole =
        value instanceof Double number && number == Math.rint(number) && Math.abs(number) < EXACT;
    return isWhole ? Long.toString(whole(value)) : String.valueOf(value);
  }

  /** Half up to so many decimal places. */
  public static double round(double value, int places) {
    if (places < TENS.length && Math.abs(value) < EXACT / TENS[places]) {
      double size = Math.floor(Math.abs(value) * TENS[places] + 0.5) / TENS[places];
      return value < 0 && size > 0 ? -size : size;
    }
    return BigDecimal.valueOf(value).setScale(places, RoundingMode.HALF_UP).doubleValue();
  }

  /** Eight significant digits: enough that a bid stays below its ask for the cheapest token. */
  public static double significant(double value) {
    double size = Math.abs(value);
    if (size >= 1e-2 && size < 1e6) {
      int places = 9;
      for (double bound = 0.1; size >= bound && places > 2; bound *= 10) {
        places--;
      }
      return round(value, places);
    }
    return BigDecimal.valueOf(value).round(EIGHT_DIGITS).doubleValue();
  }

  static boolean same(@Nullable Object left, @Nullable Object right) {
    if (left instanceof Number a && right instanceof Number b) {
      return a.doubleValue() == b.doubleValue();
    }
    return Objects.equals(left, right);
  }

  /** Whether a list has a value, or a text another. */
  static boolean contains(@Nullable Object whole, @Nullable Object part) {
    return whole instanceof String text
        ? text.contains(text(part))
        : list(whole).stream().anyMatch(each -> same(each, part));
  }

  @SuppressWarnings({"unchecked", "rawtypes"})
  static int compare(@Nullable Object left, @Nullable Object right) {
    if (left == null || right == null) {
      return (left == null ? 1 : 0) - (right == null ? 1 : 0);
    }
    if (left instanceof Number a && right instanceof Number b) {
      return left instanceof Long && right instanceof Long
          ? Long.compare(a.longValue(), b.longValue())
          : Double.compare(a.doubleValue(), b.doubleValue());
    }
    return ((Comparable) left).compareTo(right);
  }

  static @Nullable Object calculate(char operator, @Nullable Object left, @Nullable Object right) {
    if (operator == '+' && (left instanceof String || right instanceof String)) {
      return text(left) + text(right);
    }
    if (left instanceof Long a && right instanceof Long b && operator != '/') {
      return switch (operator) {
        case '+' -> a + b;
        case '-' -> a - b;
        case '*' -> a * b;
        default -> Math.floorMod(a, b);
      };
    }
    double a = number(left);
    double b = number(right);
    return switch (operator) {
      case '+' -> a + b;
      case '-' -> a - b;
      case '*' -> a * b;
      case '/' -> b == 0 ? 0.0 : a / b;
      default -> a - b * Math.floor(a / b);
    };
  }
}
