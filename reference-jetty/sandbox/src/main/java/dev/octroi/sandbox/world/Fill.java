package dev.octroi.sandbox.world;

import dev.octroi.sandbox.formula.Item;
import dev.octroi.sandbox.formula.Values;
import org.jspecify.annotations.Nullable;

/**
 * One trade, or the redemption of what was held when a market resolved.
 *
 * @param isYes which outcome
 * @param time in Unix seconds
 * @param price of one share
 * @param realized the profit that it fixes, 0 for a purchase
 * @param usd what it moved
 * @param fee dollars paid for it
 */
record Fill(
    Trader trader,
    Market market,
    boolean isYes,
    Kind kind,
    long time,
    double shares,
    double price,
    double realized,
    double usd,
    double fee)
    implements Item {

  private static final double FEE = 0.002;

  /** What it does to a position. */
  enum Kind {
    BUY,
    SELL,
    REDEEM
  }

  /** A fill with what follows from its shares and price; redemptions are free. */
  static Fill of(
      Trader trader,
      Market.Side side,
      Kind kind,
      long time,
      double shares,
      double price,
      double realized) {
    double usd = Values.round(shares * price, 2);
    double fee = kind == Kind.REDEEM ? 0 : Values.round(usd * FEE, 2);
    return new Fill(
        trader, side.market(), side.isYes(), kind, time, shares, price, realized, usd, fee);
  }

  boolean isTrade() {
    return kind != Kind.REDEEM;
  }

  @Override
  public String type() {
    return "fill";
  }

  @Override
  public @Nullable Object get(String name, long now) {
    return switch (name) {
      case "trader" -> trader;
      case "address" -> trader.address();
      case "market" -> market;
      case "side" -> market.side(isYes);
      case "kind" -> kind.name();
      case "is_trade" -> isTrade();
      case "time" -> time;
      case "shares" -> shares;
      case "price" -> price;
      case "realized" -> realized;
      case "usd" -> usd;
      case "fee" -> fee;
      case "tx" -> Activity.ofFill(trader.address(), time).hash();
      default -> NONE;
    };
  }
}
