package dev.octroi.services.prediction;

import dev.octroi.services.ErrorCode;
import dev.octroi.services.Failure;
import dev.octroi.services.read.Arguments;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * What the specification demands of parameters together (prediction, parameter rules 5 to 8). Each
 * value by itself has been checked against the row before.
 */
final class PredictionRules {

  private static final Pattern EVM_ADDRESS = Pattern.compile("0x[0-9a-fA-F]{40}");

  private static final long FINEST_WINDOW_SECONDS = Duration.ofDays(7).toSeconds();

  /** Rule 5. */
  private static final Map<String, BigDecimal> FLOORS =
      new TreeMap<>(
          Map.of(
              "min_realized_pnl", new BigDecimal("1000"),
              "min_total_pnl", new BigDecimal("1000"),
              "min_roi", new BigDecimal("0.15"),
              "min_trades", new BigDecimal("100"),
              "min_volume", new BigDecimal("10000")));

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
   * @throws Failure 400 {@code invalid_params} or {@code invalid_address}
   */
  static void check(PredictionRead row, Arguments arguments) {
    switch (row) {
      case VENUE_A_SMART_MONEY -> checkCriteria(arguments);
      case MATCHING_MARKETS -> checkIdentifier(arguments);
      case EXCHANGE_A_CANDLES -> checkFinestWindow(arguments);
      case VENUE_A_WALLETS_PROFILES ->
          arguments.values("addresses").forEach(PredictionRules::checkAddress);
      default -> {}
    }
    checkOrder(arguments);
  }

  /** Rule 8, for an element of a list. */
  static void checkAddress(String address) {
    if (!EVM_ADDRESS.matcher(address).matches()) {
      throw new Failure(ErrorCode.INVALID_ADDRESS, "Every address is 0x and 40 hexadecimal digits");
    }
  }

  private static void checkCriteria(Arguments arguments) {
    boolean any = false;
    for (Map.Entry<String, BigDecimal> floor : FLOORS.entrySet()) {
      Optional<String> value = arguments.value(floor.getKey());
      if (value.isPresent()) {
        any = true;
        require(
            new BigDecimal(value.get()).compareTo(floor.getValue()) >= 0,
            floor.getKey() + " is at least " + floor.getValue());
      }
    }
    require(any, "One of " + String.join(", ", FLOORS.keySet()) + " is required");
  }

  private static void checkIdentifier(Arguments arguments) {
    long given = IDENTIFIERS.stream().filter(arguments::has).count();
    require(given == 1, "Exactly one of " + String.join(", ", IDENTIFIERS) + " is required");
  }

  private static void checkFinestWindow(Arguments arguments) {
    Optional<Long> window =
        seconds(arguments, "end_time")
            .flatMap(end -> seconds(arguments, "start_time").map(start -> end - start));
    boolean finest = arguments.value("interval").filter("1m"::equals).isPresent();
    require(
        !finest || window.orElse(0L) <= FINEST_WINDOW_SECONDS,
        "start_time and end_time are at most 7 days apart with interval 1m");
  }

  private static void checkOrder(Arguments arguments) {
    Optional<Long> start = seconds(arguments, "start_time");
    Optional<Long> end = seconds(arguments, "end_time");
    require(
        start.isEmpty() || end.isEmpty() || start.get() <= end.get(),
        "start_time is not after end_time");
  }

  /** A listed time; an unlisted parameter of that name is the upstream's business. */
  private static Optional<Long> seconds(Arguments arguments, String name) {
    return arguments.value(name).map(Long::valueOf);
  }

  private static void require(boolean holds, String message) {
    if (!holds) {
      throw new Failure(ErrorCode.INVALID_PARAMS, message);
    }
  }
}
