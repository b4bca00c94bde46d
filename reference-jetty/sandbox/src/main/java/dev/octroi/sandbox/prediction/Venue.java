package dev.octroi.sandbox.prediction;

import java.util.List;
import java.util.Locale;

/** The venues, and the one place that knows what they are called on the vendor's wire. */
enum Venue {
  A("venue-a", "polymarket", "polymarket"),
  B("venue-b", "kalshi", "kalshi"),
  C("venue-c", "dflow", "dflow"),
  D("venue-d", "limitless", "limitless"),
  E("venue-e", "opinion", "opinion"),
  F("venue-f", "predictfun", "predict"),
  EXCHANGE("exchange-a", "binance", "binance"),
  ORACLE("oracle", "uma", "uma");

  /** The venues that trade markets. */
  static final List<Venue> TRADING = List.of(A, B, C, D, E, F);

  private final String canonical;
  private final String path;
  private final String word;

  Venue(String canonical, String path, String word) {
    this.canonical = canonical;
    this.path = path;
    this.word = word;
  }

  /** The word in bodies and in parameter names. */
  String word() {
    return word;
  }

  /** The word in paths. */
  String path() {
    return path;
  }

  /** The word as the matching endpoints write it. */
  String upper() {
    return word.toUpperCase(Locale.ROOT);
  }

  /** The letter that the table of events uses, and what makes the venues differ by chance. */
  char letter() {
    return canonical.charAt(canonical.length() - 1);
  }

  /** Replaces a canonical path segment by the vendor's; other segments stay as they are. */
  static String onTheWire(String segment) {
    for (Venue venue : values()) {
      if (venue.canonical.equals(segment)) {
        return venue.path;
      }
    }
    return segment;
  }
}
