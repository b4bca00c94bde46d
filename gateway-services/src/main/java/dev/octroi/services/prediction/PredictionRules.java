package dev.octroi.services.prediction;

import dev.octroi.services.ErrorCode;
import dev.octroi.services.Failure;
import dev.octroi.services.read.Arguments;
import dev.octroi.services.read.Parameter;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * What the specification demands of parameters together (prediction, parameter rules 5 to 8). Each
 * value by itself has been checked against the row before.
 */
final class PredictionRules {

  private static final Pattern NUMBER = Pattern.compile("-?\\d{1,18}(\\.\\d{1,18})?");

  /** What is refused the other way round. */
  private static final Map<String, String> ORDERED =
      Map.of("start_time", "end_time", "end_after", "end_before");

  private static final Pattern EVM_ADDRESS = Pattern.compile("0x[0-9a-fA-F]{40}");

  /** Rule 7 for the exchange, the vendor's documentation for markets: days that candles cover. */
  private static final Map<String, Integer> MOST_DAYS =
      Map.of("1m", 7, "1", 7, "60", 30, "1440", 365);

  /** Rule 5. */
  static final Map<String, BigDecimal> FLOORS =
      new TreeMap<>(
          Map.of(
              "min_realized_pnl", new BigDecimal("1000"),
              "min_total_pnl", new BigDecimal("1000"),
              "min_roi", new BigDecimal("0.15"),
              "min_trades", new BigDecimal("100"),
              "min_volume", new BigDecimal("10000")));

  /** The vendor's own rule for the markets of smart wallets: one of these at or above its floor. */
  static final Map<String, BigDecimal> STRONG = without(FLOORS, "min_total_pnl");

  /** Rule 6. */
  private static final List<String> IDENTIFIERS =
      List.of(
          "venue_a_condition_id",
          "venue_a_market_slug",
          "venue_a_market_id",
          "venue_b_market_ticker",
          "venue_d_slug",
          "predict_market_id",
          "predict_condition_id",
          "predict_token_id",
          "opinion_market_id",
          "opinion_condition_id",
          "opinion_token_id");

  private PredictionRules() {}

  /**
   * Checks the arguments of a row.
   *
   * @param now where a window without an end ends
   * @throws Failure 400 {@code invalid_params} or {@code invalid_address}
   */
  static void check(PredictionRead row, Arguments arguments, Instant now) {
    switch (row) {
      case VENUE_A_SMART_MONEY -> checkCriteria(arguments);
      case VENUE_A_SMART_ACTIVITY -> checkStrong(arguments);
      case MATCHING_MARKETS -> checkIdentifier(arguments);
      case VENUE_A_CANDLESTICKS,
          VENUE_A_TOKEN_CANDLESTICKS,
          VENUE_A_PRICING_HISTORY,
          EXCHANGE_A_CANDLES,
          CORRELATION ->
          checkWindow(arguments, now);
      case VENUE_A_WALLETS_PROFILES ->
          arguments.values("addresses").forEach(PredictionRules::checkAddress);
      case VENUE_B_MARKETS -> checkPlace(arguments);
      default -> {}
    }
    if (row == PredictionRead.CORRELATION || row == PredictionRead.COMPARE) {
      checkPair(arguments);
    }
    ORDERED.forEach((lower, upper) -> checkOrder(arguments, lower, upper));
    checkDates(arguments, "game_date_from", "game_date_to");
    row.parameters().stream()
        .map(Parameter::name)
        .filter(name -> name.startsWith("min_"))
        .forEach(name -> checkOrder(arguments, name, "max_" + name.substring("min_".length())));
  }

  /** Rule 8, for an element of a list. */
  static void checkAddress(String address) {
    if (!EVM_ADDRESS.matcher(address).matches()) {
      throw new Failure(ErrorCode.INVALID_ADDRESS, "Every address is 0x and 40 hexadecimal digits");
    }
  }

  private static void checkCriteria(Arguments arguments) {
    Failure.require(
        FLOORS.keySet().stream().anyMatch(arguments::has),
        "One of " + String.join(", ", FLOORS.keySet()) + " is required");
  }

  private static void checkIdentifier(Arguments arguments) {
    long given = IDENTIFIERS.stream().filter(arguments::has).count();
    Failure.require(
        given == 1, "Exactly one of " + String.join(", ", IDENTIFIERS) + " is required");
  }

  private static void checkStrong(Arguments arguments) {
    boolean any = STRONG.keySet().stream().anyMatch(arguments::has);
    boolean strong =
        STRONG.entrySet().stream()
            .anyMatch(
                floor ->
                    number(arguments, floor.getKey())
                        .filter(value -> value.compareTo(floor.getValue()) >= 0)
                        .isPresent());
    Failure.require(
        !any || strong,
        "One of "
            + STRONG.entrySet().stream()
                .map(floor -> floor.getKey() + " from " + floor.getValue())
                .collect(Collectors.joining(", "))
            + " is required");
  }

  private static void checkWindow(Arguments arguments, Instant now) {
    Optional<Long> start = seconds(arguments, "start_time");
    long end = seconds(arguments, "end_time").orElse(now.getEpochSecond());
    String interval = arguments.value("interval").orElse("");
    Integer days = MOST_DAYS.get(interval);
    Failure.require(
        days == null || start.isEmpty() || end - start.get() <= Duration.ofDays(days).toSeconds(),
        "start_time and end_time, which is now where it is left out, are at most "
            + days
            + " days apart with interval "
            + interval);
  }

  private static void checkPlace(Arguments arguments) {
    Failure.require(
        !arguments.has("pagination_key")
            || arguments.value("offset").filter("0"::equals).isPresent(),
        "offset and pagination_key are not given together");
    Failure.require(
        !MarketLists.isSettled(arguments)
            || arguments.value("offset").filter("0"::equals).isPresent(),
        "offset is 0 with status=settled: pagination_key turns the pages of settled markets");
  }

  private static void checkPair(Arguments arguments) {
    Failure.require(
        arguments.has("venue_a_condition_id") == arguments.has("venue_b_market_ticker"),
        "venue_a_condition_id and venue_b_market_ticker are given together, or neither");
  }

  private static void checkOrder(Arguments arguments, String lower, String upper) {
    Optional<BigDecimal> least = number(arguments, lower);
    Optional<BigDecimal> most = number(arguments, upper);
    Failure.require(
        least.isEmpty() || most.isEmpty() || least.get().compareTo(most.get()) <= 0,
        lower + " is not above " + upper);
  }

  /** Dates of the form 2026-12-31, which sort as texts do. */
  private static void checkDates(Arguments arguments, String first, String last) {
    Optional<String> to = arguments.value(last);
    Failure.require(
        to.isEmpty() || arguments.value(first).orElse("").compareTo(to.get()) <= 0,
        first + " is not after " + last);
  }

  /** A number that the caller gave, listed or not; what is none is the upstream's to refuse. */
  private static Optional<BigDecimal> number(Arguments arguments, String name) {
    return arguments
        .value(name)
        .or(() -> arguments.unlisted().getOrDefault(name, List.of()).stream().findFirst())
        .filter(NUMBER.asMatchPredicate())
        .map(BigDecimal::new);
  }

  private static Map<String, BigDecimal> without(Map<String, BigDecimal> floors, String name) {
    Map<String, BigDecimal> others = new TreeMap<>(floors);
    others.remove(name);
    return Collections.unmodifiableMap(others);
  }

  /** A listed time; an unlisted parameter of that name is the upstream's business. */
  private static Optional<Long> seconds(Arguments arguments, String name) {
    return arguments.value(name).map(Long::valueOf);
  }
}
