package dev.octroi.sandbox.formula;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The functions of what a call asks for, as {@code docs/world.md} lists them. */
final class ParameterFunctions {

  private ParameterFunctions() {}

  static @Nullable Builtin of(String name) {
    return switch (name) {
      case "whole" -> in -> parsed(in, "int_parsing", Long::valueOf);
      case "amount" -> in -> parsed(in, "float_parsing", ParameterFunctions::amount);
      case "time" -> in -> parsed(in, "time_parsing", ParameterFunctions::seconds);
      case "flag" -> in -> parsed(in, "bool_parsing", ParameterFunctions::flag);
      case "words" -> in -> in.scope().call().list(in.parameter(0));
      case "choose" -> ParameterFunctions::chosen;
      case "accepts" -> ParameterFunctions::accepts;
      case "within" -> in -> isWithin(in, in.text(0), in.number(1));
      case "unknown" -> in -> refused(Refusal.notFound(in.text(0)));
      case "refuse" -> in -> refused(refusal(in));
      default -> null;
    };
  }

  private static Object refused(Refusal refusal) {
    throw refusal;
  }

  private static Refusal refusal(Arguments in) {
    return in.count() == 1
        ? Refusal.badRequest(in.text(0))
        : new Refusal(400, in.text(0), in.text(1));
  }

  private static @Nullable Object parsed(Arguments in, String code, Function<String, ?> parser) {
    Object value = in.value(0);
    return value == null ? null : parsed(in.parameter(0), Values.text(value), code, parser);
  }

  private static Object parsed(String name, String text, String code, Function<String, ?> parser) {
    try {
      return parser.apply(text);
    } catch (IllegalArgumentException | DateTimeException wrong) {
      throw Refusal.invalid(name, code, "Input should be valid");
    }
  }

  private static Double amount(String text) {
    if (!text.matches("-?\\d{1,15}(\\.\\d{1,9})?")) {
      throw new IllegalArgumentException(text);
    }
    return Double.valueOf(text);
  }

  /** Unix seconds, a date or an instant. */
  private static Long seconds(String text) {
    if (text.matches("\\d{1,11}")) {
      return Long.valueOf(text);
    }
    return text.contains("T")
        ? Instant.parse(text).getEpochSecond()
        : LocalDate.parse(text).atStartOfDay().toEpochSecond(ZoneOffset.UTC);
  }

  private static Boolean flag(String text) {
    if (!text.matches("true|false")) {
      throw new IllegalArgumentException(text);
    }
    return Boolean.valueOf(text);
  }

  /** The expression of a table that a word names; the first where there is no word. */
  private static @Nullable Object chosen(Arguments in) {
    ObjectFormula table = (ObjectFormula) in.formula(1);
    Object word = in.value(0);
    List<String> names = table.names(in.scope());
    String name = word == null ? names.get(0) : Values.text(word).toLowerCase(Locale.ROOT);
    Formula formula = table.member(in.scope(), name);
    if (formula == null) {
      String message = "Input should be '" + String.join("', '", names) + "'";
      throw Refusal.invalid(in.parameter(0), "enum", message);
    }
    return formula.value(in.scope());
  }

  /** Whether a list parameter is absent or has one of the values, in any case. */
  private static boolean accepts(Arguments in) {
    List<String> wanted = in.scope().call().list(in.parameter(0));
    if (wanted.isEmpty()) {
      return true;
    }
    Object value = in.value(1);
    List<?> values = value instanceof List<?> list ? list : Collections.singletonList(value);
    return values.stream()
        .map(Values::text)
        .anyMatch(text -> wanted.stream().anyMatch(text::equalsIgnoreCase));
  }

  /** Whether a value keeps the bounds {@code min_name} and {@code max_name}. */
  private static boolean isWithin(Arguments in, String name, double value) {
    TimedCall call = in.scope().call();
    return value >= bound(call, "min_" + name, Double.NEGATIVE_INFINITY)
        && value <= bound(call, "max_" + name, Double.POSITIVE_INFINITY);
  }

  private static double bound(TimedCall call, String name, double otherwise) {
    String text = call.text(name);
    return text == null
        ? otherwise
        : Values.number(parsed(name, text, "float_parsing", ParameterFunctions::amount));
  }
}
