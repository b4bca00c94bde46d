package dev.octroi.services.prediction;

import static dev.octroi.services.read.ReadSource.composed;
import static dev.octroi.services.read.ReadSource.computed;

import dev.octroi.services.read.ReadSource;
import dev.octroi.services.read.ReadSource.Computation;

/** What several prediction rows are made of, and why several others are not offered. */
final class PredictionSources {

  static final String NO_BOOK =
      "the vendor has order books of the past, minutes behind, and none of the moment";
  static final String WALLETS_ONLY = "the vendor has the wallets of this venue, not its markets";
  static final String PRICES_ONLY = "the vendor has the prices of this exchange, not its positions";

  static final String WEEK =
      "without start_time, the seven days before end_time, now where there is none";

  private PredictionSources() {}

  /** One market of venue A, which the row finds by its condition. */
  static ReadSource marketOfA(String note) {
    return composed("/venue-a/markets", note).with("limit", "1");
  }

  /** The vendor's list of open markets of venue A in one of its orders. */
  static ReadSource openMarkets(String sort, String note) {
    return composed("/venue-a/markets", note).with("status", "open").with("sort", sort);
  }

  /** A page of matched pairs, with the markets of both sides. */
  static ReadSource pairs(String note, Computation computation) {
    return computed(
        1 + 2 * PairedMarkets.MOST_LOOKUPS,
        note,
        computation,
        "/matching-markets/pairs",
        "/venue-a/markets",
        "/venue-b/markets");
  }
}
