package dev.octroi.services.prediction;

import dev.octroi.services.prediction.PredictionReads.PredictionSettings;
import dev.octroi.services.read.Arguments;
import dev.octroi.services.read.UpstreamTarget;
import dev.octroi.services.upstream.VenueWords;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What is asked of the vendor for a row, where renaming parameters and spelling values otherwise is
 * not enough. Venue words in paths and parameter names are turned when the target is encoded.
 */
final class VendorTarget {

  /** How far a volume chart goes back where the caller names no start. */
  private static final Duration CHART = Duration.ofDays(7);

  /** How far a correlation goes back where the caller names no start. */
  private static final Duration CORRELATION = Duration.ofDays(1);

  private final PredictionSettings settings;
  private final VenueWords words;

  VendorTarget(PredictionSettings settings, VenueWords words) {
    this.settings = settings;
    this.words = words;
  }

  UpstreamTarget of(PredictionRead row, Arguments arguments, Instant now) {
    UpstreamTarget target = UpstreamTarget.of(row, arguments).converted("venue", this::realNames);
    return switch (row) {
      case VENUE_A_SMART_MONEY -> criteria(target, arguments);
      case VENUE_A_SMART_ACTIVITY -> strong(target, arguments);
      case VENUE_A_VOLUME_CHART, VENUE_A_WALLET_VOLUME_CHART -> window(target, CHART, now);
      case CORRELATION -> window(target, CORRELATION, now);
      case VENUE_A_CANDLESTICKS,
          VENUE_A_TOKEN_CANDLESTICKS,
          VENUE_A_PRICING_HISTORY,
          EXCHANGE_A_CANDLES ->
          ended(target, now);
      case MARKETS_RESOLVING_SOON -> target.with("end_after", seconds(now));
      // The vendor turns this list's pages by its cursor alone.
      case VENUE_B_MARKETS -> target.without("offset");
      case VENUE_A_ORDERBOOKS,
          VENUE_B_ORDERBOOKS,
          VENUE_D_ORDERBOOKS,
          VENUE_E_ORDERBOOKS,
          VENUE_F_ORDERBOOKS ->
          inMilliseconds(row)
              ? target
                  .converted("start_time", VendorTarget::milliseconds)
                  .converted("end_time", VendorTarget::milliseconds)
              : target;
      default -> target;
    };
  }

  /** A window that ends now where the caller names no end, and begins so long before its end. */
  private static UpstreamTarget window(UpstreamTarget target, Duration length, Instant now) {
    UpstreamTarget ended = target.orElse("end_time", seconds(now));
    long end = Long.parseLong(ended.query().getOrDefault("end_time", List.of("0")).get(0));
    return ended.orElse("start_time", Long.toString(Math.max(0, end - length.toSeconds())));
  }

  /** A window with a start ends now where the caller names no end. */
  private static UpstreamTarget ended(UpstreamTarget target, Instant now) {
    return target.query().containsKey("start_time")
        ? target.orElse("end_time", seconds(now))
        : target;
  }

  private static String seconds(Instant time) {
    return Long.toString(time.getEpochSecond());
  }

  /** The vendor insists on a criterion of who is smart: its own lowest, unless there is one. */
  private static UpstreamTarget strong(UpstreamTarget target, Arguments arguments) {
    boolean given = PredictionRules.STRONG.keySet().stream().anyMatch(arguments::has);
    return given ? target : target.with("min_realized_pnl", "1000");
  }

  /** The vendor judges by realised profit only; of two criteria of profit the stronger is sent. */
  private static UpstreamTarget criteria(UpstreamTarget target, Arguments arguments) {
    return Stream.of("min_total_pnl", "min_realized_pnl")
        .flatMap(name -> arguments.value(name).map(BigDecimal::new).stream())
        .max(Comparator.naturalOrder())
        .map(
            floor ->
                target.without("min_total_pnl").with("min_realized_pnl", floor.toPlainString()))
        .orElse(target);
  }

  private String realNames(String providers) {
    return Arrays.stream(providers.split(",", -1))
        .map(words::real)
        .collect(Collectors.joining(","));
  }

  private boolean inMilliseconds(PredictionRead row) {
    return settings.millisecondVenues().stream()
        .anyMatch(venue -> row.path().startsWith("/" + venue + "/"));
  }

  private static String milliseconds(String seconds) {
    return Long.toString(Math.multiplyExact(Long.parseLong(seconds), 1000L));
  }
}
