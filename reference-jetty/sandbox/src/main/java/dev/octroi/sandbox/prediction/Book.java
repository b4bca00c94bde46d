package dev.octroi.sandbox.prediction;

import java.util.List;
import java.util.stream.IntStream;

/**
 * The order book of one side of a market at one time, made around its price.
 *
 * @param market whose book
 * @param venue where
 * @param yesSide which side
 * @param second when
 * @param price the price, strictly between bid and ask
 */
record Book(Market market, Venue venue, boolean yesSide, long second, double price) {

  private static final int LEVELS = 10;

  static Book of(Market market, Venue venue, boolean yesSide, long second) {
    return new Book(market, venue, yesSide, second, Prices.of(market, venue, yesSide, second));
  }

  /** Best bid in cents. */
  int bidCents() {
    return (int) Math.ceil(price * 100 - 1e-9) - 1;
  }

  /** Best ask in cents. */
  int askCents() {
    return (int) Math.floor(price * 100 + 1e-9) + 1;
  }

  double bid() {
    return bidCents() / 100.0;
  }

  double ask() {
    return askCents() / 100.0;
  }

  /** From the best bid down. */
  List<Row> bids(boolean cents) {
    return IntStream.rangeClosed(0, Math.min(LEVELS, bidCents()) - 1)
        .mapToObj(i -> level(bidCents() - i, cents, 'b', i))
        .toList();
  }

  /** From the best ask up. */
  List<Row> asks(boolean cents) {
    return IntStream.rangeClosed(0, Math.min(LEVELS, 100 - askCents()) - 1)
        .mapToObj(i -> level(askCents() + i, cents, 'a', i))
        .toList();
  }

  double bidDepth() {
    return depth(bids(false));
  }

  double askDepth() {
    return depth(asks(false));
  }

  private static double depth(List<Row> levels) {
    return levels.stream().mapToDouble(level -> level.number("size")).sum();
  }

  private Row level(int price, boolean cents, char way, int number) {
    long key = market.key() + venue.letter() + (yesSide ? 31 : 57) * way;
    long size = 20 + Math.round((number + 1) * 90 * Chance.unit(key + number, second / 60));
    return cents
        ? Row.of("price", price, "size", size)
        : Row.of("price", price / 100.0, "size", (double) size);
  }
}
