package dev.octroi.services.prediction;

import dev.octroi.services.prediction.PredictionReads.PredictionSettings;
import dev.octroi.services.read.Arguments;
import dev.octroi.services.read.UpstreamTarget;
import dev.octroi.services.upstream.VenueWords;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * What is asked of the vendor for a row: the specification's words turned into the vendor's. Venue
 * words in paths and parameter names are turned when the target is encoded.
 */
final class VendorTarget {

  /** The vendor knows open and closed; a market that is resolved is closed. */
  private static final Map<String, String> STATUS =
      Map.of("open", "open", "active", "open", "closed", "closed", "resolved", "closed");

  /** The vendor has no order by liquidity; open interest is what comes nearest. */
  private static final Map<String, String> SORT =
      Map.of(
          "volume", "volume",
          "liquidity", "open_interest",
          "newest", "created",
          "ending_soon", "expiration_asc");

  private static final Map<String, String> WINDOW = Map.of("24h", "1d", "all", "all_time");

  private final PredictionSettings settings;
  private final VenueWords words;

  VendorTarget(PredictionSettings settings, VenueWords words) {
    this.settings = settings;
    this.words = words;
  }

  UpstreamTarget of(PredictionRead row, Arguments arguments) {
    UpstreamTarget target = UpstreamTarget.of(row, arguments);
    return switch (row) {
      case VENUE_A_MARKETS -> markets(target, arguments);
      case VENUE_A_LEADERBOARD ->
          target
              .converted("window", period -> WINDOW.getOrDefault(period, period))
              .converted("sort_by", VendorTarget::realised);
      case VENUE_A_SMART_MONEY -> criteria(target, arguments);
      case MARKETS_SEARCH -> target.converted("venue", this::realNames);
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

  private static UpstreamTarget markets(UpstreamTarget target, Arguments arguments) {
    UpstreamTarget sorted = target.converted("sort", sort -> SORT.getOrDefault(sort, sort));
    // The vendor's word for all is no word.
    return arguments.value("status").filter("all"::equals).isPresent()
        ? sorted.without("status")
        : sorted.converted("status", status -> STATUS.getOrDefault(status, status));
  }

  /** The vendor judges by realised profit only; a stronger criterion of that kind stands. */
  private static UpstreamTarget criteria(UpstreamTarget target, Arguments arguments) {
    return arguments
        .value("min_total_pnl")
        .map(floor -> target.without("min_total_pnl").orElse("min_realized_pnl", floor))
        .orElse(target);
  }

  private static String realised(String sortBy) {
    return sortBy.equals("total_pnl") ? "realized_pnl" : sortBy;
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
