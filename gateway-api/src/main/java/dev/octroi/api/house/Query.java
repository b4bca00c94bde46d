package dev.octroi.api.house;

import dev.octroi.payments.ControlCharacters;
import dev.octroi.payments.books.Period;
import dev.octroi.payments.evm.EvmAddress;
import jakarta.ws.rs.WebApplicationException;
import jakarta.ws.rs.core.UriInfo;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** The query parameters of a request to the gateway's own endpoints; a bad one is 400. */
public record Query(UriInfo uri) {

  private static final int LIMIT = 50;
  private static final int MAX_LIMIT = 100;

  /** No database holds all times that Java does. */
  private static final Instant FIRST = Instant.parse("1900-01-01T00:00:00Z");

  private static final Instant LAST = Instant.parse("9999-12-31T23:59:59Z");

  /** How many rows a page has, {@code limit}: 1 to 100, 50 if it is not said. */
  public int limit() {
    return limit(LIMIT);
  }

  /**
   * The same with another number.
   *
   * @param unsaid if it is not said
   */
  public int limit(int unsaid) {
    return whole("limit", 1, MAX_LIMIT).orElse(unsaid);
  }

  /** A number in a range. */
  public Optional<Integer> whole(String name, int least, int most) {
    String expected = "a whole number from " + least + " to " + most;
    return parsed(name, expected, Integer::valueOf)
        .map(
            number -> {
              if (number < least || number > most) {
                throw invalid(name, expected);
              }
              return number;
            });
  }

  /** What the page before said to go on with; decoded, and as unchecked as any parameter. */
  public Optional<String> cursor() {
    return parsed(
        "cursor",
        "the nextCursor of the page before",
        text ->
            plain(
                "cursor", new String(Base64.getUrlDecoder().decode(text), StandardCharsets.UTF_8)));
  }

  private static String plain(String name, String text) {
    if (ControlCharacters.areIn(text)) {
      throw Refused.invalid("The parameter '" + name + "' has a control character.");
    }
    return text;
  }

  /** The cursor of a page in the order of ids. */
  public Optional<UUID> cursorId() {
    return cursor()
        .map(text -> read("cursor", "the nextCursor of the page before", text, Query::uuid));
  }

  /** The cursor of a page in the order of time. */
  Optional<Listing.Place> cursorPlace() {
    return cursor()
        .map(
            text ->
                read("cursor", "the nextCursor of the page before", text, Listing.Place::parse));
  }

  /**
   * The page that is asked for of rows in the order of their ids.
   *
   * @param read reads so many rows after an id
   */
  public <R, T> Page<T> page(
      BiFunction<Optional<UUID>, Integer, List<R>> read,
      Function<R, UUID> id,
      Function<R, T> shown) {
    return page(read.apply(cursorId(), limit()), id, shown);
  }

  /**
   * A page of rows.
   *
   * @param rows as many as {@link #limit} says; if they are fewer, there is nothing more
   * @param place where a row stands
   */
  public <R, T> Page<T> page(List<R> rows, Function<R, ?> place, Function<R, T> shown) {
    return new Page<>(
        rows.stream().map(shown).toList(),
        rows.size() < limit() ? null : cursorOf(place.apply(rows.get(rows.size() - 1))));
  }

  /**
   * Some of many, in a stable order.
   *
   * @param data the rows
   * @param nextCursor asks for the page after this one; null if there is nothing more
   */
  public record Page<T>(List<T> data, @Nullable String nextCursor) {}

  /** Makes of a row's place what {@link #cursor} reads. */
  private static String cursorOf(Object place) {
    return Base64.getUrlEncoder()
        .withoutPadding()
        .encodeToString(place.toString().getBytes(StandardCharsets.UTF_8));
  }

  public Optional<String> text(String name) {
    return Optional.ofNullable(uri.getQueryParameters().getFirst(name))
        .filter(text -> !text.isEmpty())
        .map(text -> plain(name, text));
  }

  public String required(String name) {
    return text(name)
        .orElseThrow(() -> Refused.invalid("The parameter '" + name + "' is missing."));
  }

  public Optional<UUID> id(String name) {
    return parsed(name, "an id", Query::uuid);
  }

  public Optional<EvmAddress> address(String name) {
    return parsed(name, "an address of 20 bytes in hex", EvmAddress::parse);
  }

  public Optional<LocalDate> day(String name) {
    return parsed(name, "a day such as 2026-12-01", LocalDate::parse);
  }

  public Optional<Instant> time(String name) {
    String expected = "a time such as 2026-12-01T00:00:00Z";
    return parsed(name, expected, Instant::parse)
        .map(
            time -> {
              if (time.isBefore(FIRST) || time.isAfter(LAST)) {
                throw invalid(name, expected);
              }
              return time;
            });
  }

  /**
   * A period, {@code from} to {@code to}.
   *
   * @param start when it begins if that is not said, by its end
   * @param end when it ends if that is not said
   */
  public Period period(UnaryOperator<Instant> start, Instant end) {
    Instant to = time("to").orElse(end);
    Instant from = time("from").orElseGet(() -> start.apply(to));
    if (!from.isBefore(to)) {
      throw Refused.invalid("The parameter 'to' must be a later time than 'from'.");
    }
    return new Period(from, to);
  }

  /** The same; the last day if it is not said. */
  public Period period(Instant now) {
    return period(to -> to.minus(1, ChronoUnit.DAYS), now.plusSeconds(1));
  }

  /**
   * The whole hours of such a period.
   *
   * @param most how long it may be
   */
  public Period hours(Instant now, Duration most) {
    Period period = period(now);
    Instant from = period.from().truncatedTo(ChronoUnit.HOURS);
    if (from.isBefore(period.to().minus(most).minus(1, ChronoUnit.HOURS))) {
      throw Refused.invalid("A period has " + most.toDays() + " days at most.");
    }
    return new Period(from, period.to());
  }

  /** One of the constants of a type, by its name in small letters. */
  public <E extends Enum<E>> Optional<E> one(String name, Class<E> type) {
    return text(name).map(word -> one("The parameter '" + name + "'", type, word));
  }

  /**
   * The same of a word in a body.
   *
   * @param what how the refusal of another word begins
   */
  public static <E extends Enum<E>> E one(String what, Class<E> type, @Nullable String word) {
    List<String> words =
        Arrays.stream(type.getEnumConstants())
            .map(constant -> constant.name().toLowerCase(Locale.ROOT))
            .toList();
    int place = words.indexOf(Objects.requireNonNullElse(word, ""));
    if (place < 0) {
      String others = String.join(", ", words.subList(0, words.size() - 1));
      throw Refused.invalid(
          what + " must be " + others + " or " + words.get(words.size() - 1) + ".");
    }
    return type.getEnumConstants()[place];
  }

  /** The id in a path; one that is none names nothing, so it is 404. */
  public static UUID pathId(String text) {
    try {
      return uuid(text);
    } catch (IllegalArgumentException e) {
      throw Refused.unknown("There is nothing with this id.");
    }
  }

  private <T> Optional<T> parsed(String name, String expected, Function<String, T> parse) {
    return text(name).map(text -> read(name, expected, text, parse));
  }

  private static <T> T read(String name, String expected, String text, Function<String, T> parse) {
    try {
      return parse.apply(text);
    } catch (IllegalArgumentException | DateTimeException e) {
      throw invalid(name, expected);
    }
  }

  private static WebApplicationException invalid(String name, String expected) {
    return Refused.invalid("The parameter '" + name + "' must be " + expected + ".");
  }

  /** Only the canonical form: {@link UUID#fromString} also takes shorter ones. */
  private static UUID uuid(String text) {
    UUID id = UUID.fromString(text);
    if (!id.toString().equalsIgnoreCase(text)) {
      throw new IllegalArgumentException("not an id");
    }
    return id;
  }
}
