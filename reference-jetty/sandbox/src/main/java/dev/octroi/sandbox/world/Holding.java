package dev.octroi.sandbox.world;

import dev.octroi.sandbox.formula.Item;
import dev.octroi.sandbox.formula.Values;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A trader's position in one market at one time, folded from its fills.
 *
 * @param fills what led to it, the oldest first
 * @param shares held at the time
 * @param bought shares bought ever
 * @param cost dollars that the shares held have cost
 * @param realized profit fixed so far
 * @param time in Unix seconds
 */
record Holding(
    List<Fill> fills, double shares, double bought, double cost, double realized, long time)
    implements Item {

  /** One position for each trader and market in the fills, at a time. */
  static List<Holding> of(List<Fill> fills, long time) {
    Map<String, List<Fill>> groups = new LinkedHashMap<>();
    for (Fill fill : fills) {
      if (fill.time() <= time) {
        String group = fill.trader().address() + fill.market().slug();
        groups.computeIfAbsent(group, any -> new ArrayList<>()).add(fill);
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
        shares = Values.round(shares - fill.shares(), 2);
        realized += fill.realized();
      }
    }
    return new Holding(
        fills,
        Values.round(shares, 2),
        Values.round(bought, 2),
        Values.round(shares < 0.01 ? 0 : cost, 2),
        Values.round(realized, 2),
        time);
  }

  private Fill any() {
    return fills.get(0);
  }

  private double price() {
    return any().market().price(Venue.A, any().isYes(), time);
  }

  private double value() {
    return Values.round(shares * price(), 2);
  }

  /** What a share of those held has cost, or of all purchases once none is. */
  private double entry() {
    if (shares > 0) {
      return Values.round(cost / shares, 4);
    }
    double paid =
        fills.stream().filter(fill -> fill.kind() == Fill.Kind.BUY).mapToDouble(Fill::usd).sum();
    return bought == 0 ? 0 : Values.round(paid / bought, 4);
  }

  @Override
  public String type() {
    return "holding";
  }

  @Override
  public @Nullable Object get(String name, long now) {
    return switch (name) {
      case "fills" -> fills;
      case "trader" -> any().trader();
      case "address" -> any().trader().address();
      case "market" -> any().market();
      case "side" -> any().market().side(any().isYes());
      case "shares" -> shares;
      case "bought" -> bought;
      case "cost" -> cost;
      case "realized" -> realized;
      case "is_open" -> shares > 0;
      case "price" -> price();
      case "value" -> value();
      case "unrealized" -> Values.round(value() - cost, 2);
      case "entry" -> entry();
      case "fees" -> Values.round(fills.stream().mapToDouble(Fill::fee).sum(), 2);
      case "first" -> any().time();
      case "last" -> fills.get(fills.size() - 1).time();
      default -> NONE;
    };
  }
}
