package dev.octroi.reference.sandbox.prediction;

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
 */
record Fill(
    Wallet wallet,
    Market market,
    boolean yesSide,
    Kind kind,
    long time,
    double shares,
    double price,
    double realized) {

  /** What a fill does to a position. */
  enum Kind {
    BUY,
    SELL,
    REDEEM
  }

  double usd() {
    return Numbers.usd(shares * price);
  }

  boolean trade() {
    return kind != Kind.REDEEM;
  }

  double fee() {
    return trade() ? Numbers.usd(usd() * 0.002) : 0;
  }

  double refund() {
    return Numbers.usd(fee() * 0.1);
  }

  String hash(String purpose) {
    return Chance.hex(purpose + wallet.address() + market.slug() + time, 64);
  }
}
