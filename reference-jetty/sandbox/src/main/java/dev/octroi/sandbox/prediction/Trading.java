package dev.octroi.sandbox.prediction;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Decides what a wallet trades: from its address alone, at the prices of the time. */
final class Trading {

  private static final Duration PAST = Duration.ofDays(120);
  private static final Duration MONTH = Duration.ofDays(32);
  private static final long REDEEMED_AFTER = 3_600;

  private final List<Market> markets;
  private final Venue venue;
  private final Instant anchor;

  Trading(List<Market> markets, Venue venue, Instant anchor) {
    this.venue = venue;
    this.markets = markets.stream().filter(market -> !market.archived()).toList();
    this.anchor = anchor;
  }

  /** All fills of the wallet until the end of the month, oldest first. */
  List<Fill> fills(Wallet wallet) {
    long key = wallet.key();
    Set<Market> chosen = new LinkedHashSet<>();
    int count = 9 + Chance.below(key, 2, 14);
    for (int i = 0; i < count; i++) {
      chosen.add(markets.get(Chance.below(key, 100 + i, markets.size())));
    }
    List<Fill> fills = new ArrayList<>();
    for (Market market : chosen) {
      trade(fills, wallet, market);
    }
    fills.sort(Comparator.comparingLong(Fill::time));
    return fills;
  }

  private void trade(List<Fill> fills, Wallet wallet, Market market) {
    long key = wallet.key() ^ market.key();
    long from = Math.max(seconds(anchor.minus(PAST)), seconds(market.created()));
    long to = Math.min(seconds(anchor.plus(MONTH)), seconds(market.end()) - 60);
    int count = 4 + Chance.below(key, 1, 16);
    boolean yesSide = Chance.unit(key, 2) < 0.5 + (market.chance() - 0.5) / 3;
    Book book = new Book(fills, new Fill.Position(wallet, market, yesSide));
    for (int i = 0; i < count && to > from; i++) {
      long time = from + (long) ((to - from) * ((i + Chance.unit(key, 10 + i)) / count));
      book.trade(
          time,
          Prices.of(market, venue, yesSide, time),
          Chance.unit(key, 200 + i),
          Chance.unit(key, 400 + i));
    }
    if (to < seconds(anchor.plus(MONTH))) {
      book.redeem(seconds(market.end()) + REDEEMED_AFTER);
    }
  }

  private static long seconds(Instant time) {
    return time.getEpochSecond();
  }

  /** The position that decides what may be sold and what it earns. */
  private static final class Book {

    private final List<Fill> fills;
    private final Fill.Position position;
    private double held;
    private double cost;

    Book(List<Fill> fills, Fill.Position position) {
      this.fills = fills;
      this.position = position;
    }

    void trade(long time, double price, double mood, double size) {
      if (held > 0 && mood > 0.6) {
        close(
            Fill.Kind.SELL, time, mood > 0.9 ? held : Numbers.usd(held * (0.2 + size / 2)), price);
      } else {
        double shares =
            Math.max(5, Numbers.usd(position.wallet().style().stake() * (0.05 + size / 2)));
        fills.add(Fill.of(position, Fill.Kind.BUY, time, shares, price, 0));
        held = Numbers.usd(held + shares);
        cost += shares * price;
      }
    }

    void redeem(long time) {
      if (held > 0) {
        close(
            Fill.Kind.REDEEM,
            time,
            held,
            position.market().comesTrue() == position.yesSide() ? 1 : 0);
      }
    }

    private void close(Fill.Kind kind, long time, double shares, double price) {
      double average = cost / held;
      double realized = Numbers.usd(shares * (price - average));
      fills.add(Fill.of(position, kind, time, shares, price, realized));
      held = Numbers.usd(held - shares);
      cost = held == 0 ? 0 : cost - shares * average;
    }
  }
}
