package dev.octroi.sandbox.prediction;

/**
 * One trade, or the redemption of what was held when a market resolved.
 *
 * @param wallet who
 * @param market where
 * @param yesSide which outcome
 * @param kind what
 * @param time Unix seconds
 * @param shares how many
 * @param price of one share
 * @param realized profit that it fixes, 0 for a purchase
 * @param usd what it moved
 * @param fee dollars paid for it
 */
record Fill(
    Wallet wallet,
    Market market,
    boolean yesSide,
    Kind kind,
    long time,
    double shares,
    double price,
    double realized,
    double usd,
    double fee) {

  /** What the venue gives back of its fees. */
  static final double REFUNDED = 0.1;

  private static final double FEE = 0.002;

  /** What a fill does to a position. */
  enum Kind {
    BUY,
    SELL,
    REDEEM
  }

  /** A fill with what follows from its shares and price; redemptions are free. */
  static Fill of(
      Position where, Kind kind, long time, double shares, double price, double realized) {
    double usd = Numbers.usd(shares * price);
    double fee = kind == Kind.REDEEM ? 0 : Numbers.usd(usd * FEE);
    return new Fill(
        where.wallet(),
        where.market(),
        where.yesSide(),
        kind,
        time,
        shares,
        price,
        realized,
        usd,
        fee);
  }

  /** Whose shares of which side. */
  record Position(Wallet wallet, Market market, boolean yesSide) {}

  boolean trade() {
    return kind != Kind.REDEEM;
  }

  String hash(String purpose) {
    return Chance.hex(purpose + wallet.address() + market.slug() + time, 64);
  }
}
