package dev.octroi.sandbox.world;

import dev.octroi.sandbox.formula.Chance;
import dev.octroi.sandbox.formula.Values;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What the traders did. Positions, profits, leaderboards, holders and trades are all derived from
 * it, which is why they agree. A fill follows from trader, market and time alone, at the price of
 * the time.
 */
final class Ledger {

  private static final long DAY = 86_400;
  private static final long LONGEST_PAUSE = 20 * DAY;
  private static final long REDEEMED_AFTER = 3_600;
  private static final double CHOSEN_AT_A = 0.04;
  private static final double CHOSEN_AT_C = 0.15;
  private static final Comparator<Fill> OLDEST =
      Comparator.comparingLong(Fill::time).thenComparing(fill -> fill.trader().address());

  private static volatile Ledger latest = new Ledger(0);

  private final long day;
  private final Map<String, List<Fill>> byTrader = new HashMap<>();
  private final List<Fill> all = new ArrayList<>();

  private Ledger(long day) {
    this.day = day;
    if (day > 0) {
      for (Trader trader : Trader.LISTED) {
        List<Fill> fills = fills(trader, Venue.A, (day + 1) * DAY - 1);
        byTrader.put(trader.address(), fills);
        all.addAll(fills);
      }
      all.sort(OLDEST);
    }
  }

  private static Ledger of(long time) {
    Ledger known = latest;
    if (known.day != time / DAY) {
      known = new Ledger(time / DAY);
      latest = known;
    }
    return known;
  }

  /** What all listed traders did at venue A until a time, the oldest first. */
  static List<Fill> all(long time) {
    return until(of(time).all, time);
  }

  /** What a trader did at a venue until a time, the oldest first. */
  static List<Fill> of(Trader trader, Venue venue, long time) {
    List<Fill> known = venue == Venue.A ? of(time).byTrader.get(trader.address()) : null;
    return until(known == null ? fills(trader, venue, time) : known, time);
  }

  private static List<Fill> until(List<Fill> fills, long time) {
    return fills.stream().filter(fill -> fill.time() <= time).toList();
  }

  private static List<Fill> fills(Trader trader, Venue venue, long until) {
    List<Fill> fills = new ArrayList<>();
    double chosen = venue == Venue.A ? CHOSEN_AT_A : CHOSEN_AT_C;
    for (Market market : Calendar.of(until).markets(until)) {
      long key = Chance.key(trader.key(), market.key());
      // What never ends is traded by all, so that no trader is without a trade.
      boolean always = market.event().code() == Calendar.LASTING;
      double drawn = chosen * (0.15 + 3 * Flow.busy(market));
      if (market.isAt(venue) && (always || Chance.unit(key, 3) < drawn)) {
        fills.addAll(new Position(trader, market, venue, key).fills(until));
      }
    }
    fills.sort(OLDEST);
    return fills;
  }

  /** A position in the making: it decides what may be sold and what that earns. */
  private static final class Position {

    private final List<Fill> fills = new ArrayList<>();
    private final Trader trader;
    private final Market market;
    private final Venue venue;
    private final long key;
    private final Market.Side side;
    private double held;
    private double cost;

    private Position(Trader trader, Market market, Venue venue, long key) {
      this.trader = trader;
      this.market = market;
      this.venue = venue;
      this.key = key;
      this.side = market.side(Chance.unit(key, 2) < 0.5 + (market.odds().chance() - 0.5) / 3);
    }

    private List<Fill> fills(long until) {
      long from = market.event().created();
      long end = market.event().end() - 60;
      int count = 4 + Chance.below(key, 1, 16);
      long pause = Math.max(60, Math.min(LONGEST_PAUSE, (end - from) / count));
      for (int at = 0; from + (at + 1) * pause <= end; at++) {
        long time = from + at * pause + (long) (pause * Chance.unit(key, 10 + at));
        if (time > until) {
          return fills;
        }
        trade(time, Chance.unit(key, 20_000 + at), Chance.unit(key, 40_000 + at));
      }
      long redeemed = market.event().end() + REDEEMED_AFTER;
      if (held > 0 && redeemed <= until) {
        close(Fill.Kind.REDEEM, redeemed, held, market.odds().comesTrue() == side.isYes() ? 1 : 0);
      }
      return fills;
    }

    private void trade(long time, double mood, double size) {
      double price = market.price(venue, side.isYes(), time);
      if (held > 0 && mood > 0.6) {
        double sold = mood > 0.9 ? held : Values.round(held * (0.2 + size / 2), 2);
        close(Fill.Kind.SELL, time, sold, price);
      } else {
        double staked = Values.round(trader.style().stake() * (0.05 + size / 2), 2);
        double shares = Math.max(5, staked);
        fills.add(Fill.of(trader, side, Fill.Kind.BUY, time, shares, price, 0));
        held = Values.round(held + shares, 2);
        cost += shares * price;
      }
    }

    private void close(Fill.Kind kind, long time, double shares, double price) {
      double average = cost / held;
      double realized = Values.round(shares * (price - average), 2);
      fills.add(Fill.of(trader, side, kind, time, shares, price, realized));
      held = Values.round(held - shares, 2);
      cost = held == 0 ? 0 : cost - shares * average;
    }
  }
}
