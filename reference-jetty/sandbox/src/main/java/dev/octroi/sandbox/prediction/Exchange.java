package dev.octroi.sandbox.prediction;

import java.util.Locale;

/** The trading pairs of the exchange and what they cost. */
enum Exchange {
  BTCUSDT("Bitcoin", 112_000, 2),
  ETHUSDT("Ethereum", 4_100, 2),
  SOLUSDT("Solana", 185, 3),
  XRPUSDT("XRP", 2.6, 4);

  /** A wander of one is this part of the price. */
  private static final double SWING = 0.6;

  private final String title;
  private final double middle;
  private final int places;

  Exchange(String title, double middle, int places) {
    this.title = title;
    this.middle = middle;
    this.places = places;
  }

  String title() {
    return title;
  }

  /** Short name, such as {@code btc}. */
  String asset() {
    return name().replace("USDT", "").toLowerCase(Locale.ROOT);
  }

  /** The middle of bid and ask at a second. */
  double price(long second) {
    return Numbers.rounded(
        middle * (1 + SWING * Prices.wander(Chance.key(name()), second)), places);
  }

  /** The distance of bid and ask at a second. */
  double spread(long second) {
    double tick = Math.pow(10, -places);
    return Numbers.rounded(2 * tick * (1 + Chance.below(Chance.key(name()), second, 3)), places);
  }

  int places() {
    return places;
  }
}
