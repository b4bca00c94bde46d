package dev.octroi.sandbox.prediction;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A wallet's position in one market at one time, folded from its fills.
 *
 * @param fills what led to it, oldest first
 * @param shares held now
 * @param bought shares bought ever
 * @param cost dollars that the shares held have cost
 * @param realized profit fixed so far
 * @param time the time, Unix seconds
 */
record Holding(
    List<Fill> fills, double shares, double bought, double cost, double realized, long time) {

  /** One position for each market in the fills, each at the given time. */
  static List<Holding> of(List<Fill> fills, long time) {
    Map<String, List<Fill>> groups = new LinkedHashMap<>();
    for (Fill fill : fills) {
      if (fill.time() <= time) {
        String group = fill.wallet().address() + fill.market().slug();
        groups.computeIfAbsent(group, each -> new ArrayList<>()).add(fill);
      }
    }
    return groups.values().stream().map(group -> folded(group, time)).toList();
  }

  private static Holding folded(List<Fill> fills, long time) {
    double shares = 0;
    double bought = 0;
    double cost = 0;
    double realized = 0;
    for (Fill fill : fills) {
      if (fill.kind() == Fill.Kind.BUY) {
        shares += fill.shares();
        bought += fill.shares();
        cost += fill.shares() * fill.price();
      } else {
        cost -= cost * fill.shares() / shares;
        shares = Numbers.usd(shares - fill.shares());
        realized += fill.realized();
      }
    }
    return new Holding(
        fills,
        Numbers.usd(shares),
        Numbers.usd(bought),
        Numbers.usd(shares < 0.01 ? 0 : cost),
        Numbers.usd(realized),
        time);
  }

  Market market() {
    return fills.get(0).market();
  }

  Wallet wallet() {
    return fills.get(0).wallet();
  }

  boolean yesSide() {
    return fills.get(0).yesSide();
  }

  Market.Side side() {
    return market().side(yesSide());
  }

  boolean open() {
    return shares > 0;
  }

  double price() {
    return Prices.of(market(), Venue.A, yesSide(), time);
  }

  double value() {
    return Numbers.usd(shares * price());
  }

  double unrealized() {
    return Numbers.usd(value() - cost);
  }

  /** Average price of what is held, or of all purchases once nothing is. */
  double entry() {
    if (open()) {
      return Numbers.ratio(cost / shares);
    }
    double paid =
        fills.stream().filter(f -> f.kind() == Fill.Kind.BUY).mapToDouble(Fill::usd).sum();
    return Numbers.quotient(paid, bought);
  }

  double fees() {
    return Numbers.usd(fills.stream().mapToDouble(Fill::fee).sum());
  }

  double refunds() {
    return Numbers.usd(Fill.REFUNDED * fees());
  }

  long first() {
    return fills.get(0).time();
  }

  long last() {
    return fills.get(fills.size() - 1).time();
  }
}
