package dev.octroi.sandbox.prediction;

import java.util.Map;

/** The vendor's words for the venues, as its paths have them. */
final class Words {

  private static final Map<String, String> WIRE =
      Map.of(
          "venue-a", "polymarket",
          "venue-b", "kalshi",
          "venue-c", "dflow",
          "venue-d", "limitless",
          "venue-e", "opinion",
          "venue-f", "predictfun",
          "exchange-a", "binance",
          "oracle", "uma");

  private Words() {}

  /** Replaces a neutral path segment by the vendor's; other segments stay as they are. */
  static String onTheWire(String segment) {
    return WIRE.getOrDefault(segment, segment);
  }
}
