package dev.octroi.sandbox.formula;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Instant;
import java.time.LocalDate;
import java.util.AbstractList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.function.LongUnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The functions of numbers, texts, chance and time, as {@code docs/world.md} lists them. */
final class Functions {

  private static final long DAY = 86_400;

  /** A series has no more points than this where it does not say. */
  private static final long POINTS = 1_000;

  private Functions() {}

  /** The function of a name, those of lists and parameters included; null if there is none. */
  static @Nullable Builtin of(String name) {
    return Stream.<Builtin.Source>of(
            Functions::ofNumbers,
            Functions::ofTexts,
            Functions::ofChance,
            Functions::ofTime,
            ListFunctions::of,
            ParameterFunctions::of)
        .flatMap(source -> Stream.ofNullable(source.of(name)))
        .findFirst()
        .orElse(null);
  }

  private static @Nullable Builtin ofNumbers(String name) {
    return switch (name) {
      case "usd" -> in -> Values.round(in.number(0), 2);
      case "ratio" -> in -> Values.round(in.number(0), 4);
      case "round" -> in -> Values.round(in.number(0), (int) in.whole(1));
      case "sig" -> in -> Values.significant(in.number(0));
      case "exp" -> in -> Math.exp(in.number(0));
      case "abs" -> in -> Math.abs(in.number(0));
      case "int" -> in -> (long) in.number(0);
      case "nearest" -> in -> Math.round(in.number(0));
      case "floor" -> in -> Math.floorDiv(in.whole(0), in.whole(1)) * in.whole(1);
      case "fixed" -> in -> decimal(in).setScale(in.place(1), HALF_UP).toPlainString();
      case "units" -> in -> units(in).toPlainString();
      case "hexnumber" -> in -> "0x" + units(in).toBigInteger().toString(16);
      default -> null;
    };
  }

  private static final RoundingMode HALF_UP = RoundingMode.HALF_UP;

  private static BigDecimal decimal(Arguments in) {
    return in.value(0) instanceof Long whole
        ? BigDecimal.valueOf(whole)
        : BigDecimal.valueOf(in.number(0));
  }

  /** A number in so many decimal places' smallest units. */
  private static BigDecimal units(Arguments in) {
    return decimal(in).movePointRight(in.count() > 1 ? in.place(1) : 0).setScale(0, HALF_UP);
  }

  private static @Nullable Builtin ofTexts(String name) {
    return switch (name) {
      case "lower" -> in -> of(in, text -> text.toLowerCase(Locale.ROOT));
      case "upper" -> in -> of(in, text -> text.toUpperCase(Locale.ROOT));
      case "replace" -> in -> in.text(0).replace(in.text(1), in.text(2));
      case "split" -> in -> List.of(in.text(0).split(in.text(1)));
      case "join" -> in -> String.join(in.text(1), in.words(0));
      case "starts" -> in -> in.text(0).startsWith(in.text(1));
      case "matches" -> in -> in.text(0).matches(in.text(1));
      case "has_words" -> in -> hasWords(in.text(0), in.value(1));
      default -> null;
    };
  }

  private static @Nullable Object of(Arguments in, Function<String, String> text) {
    Object value = in.value(0);
    return value == null ? null : text.apply(Values.text(value));
  }

  /** Whether every word of the second text occurs in the first, in any case. */
  private static boolean hasWords(String text, @Nullable Object wanted) {
    String lower = text.toLowerCase(Locale.ROOT);
    return wanted == null
        || Stream.of(Values.text(wanted).toLowerCase(Locale.ROOT).split("\\W+"))
            .allMatch(lower::contains);
  }

  private static @Nullable Builtin ofChance(String name) {
    return switch (name) {
      case "key" -> in -> in.key(0);
      case "unit" -> in -> Chance.unit(in.key(0), 0);
      case "drift" -> in -> Chance.drift(in.key(0), in.scope().time());
      case "level" -> in -> in.number(0) * Math.exp(in.number(1) * drift(in));
      case "chance" -> in -> Chance.unit(in.key(1), 0) < in.number(0);
      case "between" -> in -> Chance.between(in.key(2), 0, in.number(0), in.number(1));
      case "skewed" -> in -> Chance.skewed(in.key(2), 0, in.number(0), in.number(1));
      case "whole_between" -> in -> wholeBetween(in.key(2), in.whole(0), in.whole(1));
      case "pick" -> in -> Chance.pick(in.key(1), 0, in.list(0));
      case "hex" -> in -> Chance.hex(in.key(1), in.place(0));
      case "digits" -> in -> Chance.digits(in.key(1), in.place(0));
      case "address" -> in -> Chance.address(in.key(0));
      case "hash" -> in -> "0x" + Chance.hex(in.key(0), 64);
      case "base58" -> in -> Chance.base58(in.key(0));
      case "uuid" -> in -> Chance.uuid(in.key(0));
      default -> null;
    };
  }

  private static double drift(Arguments in) {
    return Chance.drift(in.key(2), in.scope().time());
  }

  private static long wholeBetween(long key, long least, long most) {
    return least + (long) (Chance.unit(key, 0) * (most - least + 1));
  }

  private static @Nullable Builtin ofTime(String name) {
    return switch (name) {
      case "now" -> in -> in.scope().call().now();
      case "iso" -> in -> ofSecond(in, second -> Instant.ofEpochSecond(second).toString());
      case "date" -> in -> ofSecond(in, second -> LocalDate.ofEpochDay(second / DAY).toString());
      case "span" -> in -> span(in.text(0));
      case "at" -> in -> in.atEach(in.list(0), 1);
      case "series" -> in -> steps(in, in.count() > 3 ? in.whole(3) : POINTS);
      case "back" -> in -> back(in.scope().time(), in.place(0), in.whole(1));
      case "slots" -> in -> back(in.scope().time() / in.whole(0) - 1, in.place(1), 1);
      default -> null;
    };
  }

  private static @Nullable Object ofSecond(Arguments in, Function<Long, String> text) {
    Object second = in.value(0);
    return second == null ? null : text.apply(Values.whole(second));
  }

  /** Seconds of {@code 5m}, {@code 4h}, {@code 7d}, {@code 1w}, {@code 1M}, {@code 1y}. */
  private static long span(String text) {
    if (text.equals("max") || text.equals("all")) {
      return 730 * DAY;
    }
    long count = Long.parseLong(text.substring(0, text.length() - 1));
    return count
        * switch (text.charAt(text.length() - 1)) {
          case 's' -> 1;
          case 'm' -> 60;
          case 'h' -> 3_600;
          case 'd' -> DAY;
          case 'w' -> 7 * DAY;
          case 'M' -> 30 * DAY;
          default -> 365 * DAY;
        };
  }

  /** The marks of a grid between two times, both included: the latest ones. */
  private static List<Long> steps(Arguments in, long most) {
    long step = in.whole(2);
    long first = Math.floorDiv(in.whole(0) + step - 1, step);
    long last = Math.floorDiv(in.whole(1), step);
    long start = Math.max(first, last - most + 1);
    return numbers((int) Math.max(0, last - start + 1), place -> (start + place) * step);
  }

  private static List<Long> back(long newest, int count, long step) {
    return numbers(count, place -> newest - place * step);
  }

  /** Numbers that are made when they are read. */
  static List<Long> numbers(int count, LongUnaryOperator number) {
    return new AbstractList<>() {
      @Override
      public Long get(int place) {
        return number.applyAsLong(place);
      }

      @Override
      public int size() {
        return count;
      }
    };
  }
}
