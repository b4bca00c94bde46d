package dev.octroi.sandbox.cryptodata;

import dev.octroi.sandbox.vendor.Figures;
import dev.octroi.sandbox.vendor.Seeded;

/**
 * One movement of a token between two addresses.
 *
 * @param amount in whole coins
 */
record Transfer(
    String hash, String from, String to, Token token, double amount, double usd, long time) {

  private static final long BLOCK_SECONDS = 12;
  private static final long FIRST_BLOCK = 1_438_269_988L;

  /** A movement into or out of a wallet. */
  static Transfer ofWallet(String address, Timeline timeline, int index) {
    Seeded seeded = timeline.values(index);
    String other = seeded.address();
    boolean out = seeded.chance(0.5);
    return of(
        seeded,
        out ? address : other,
        out ? other : address,
        seeded.pick(Token.ALL),
        timeline.time(index));
  }

  /** A movement of one token between any two addresses. */
  static Transfer ofToken(Token token, Timeline timeline, int index) {
    Seeded seeded = timeline.values(index);
    return of(seeded, seeded.address(), seeded.address(), token, timeline.time(index));
  }

  private static Transfer of(Seeded seeded, String from, String to, Token token, long time) {
    double amount = Prices.significant(seeded.skewed(5, 250_000, 2) / token.middle());
    double usd = Figures.round(amount * Prices.usd(token, time), 2);
    return new Transfer(seeded.transactionHash(), from, to, token, amount, usd, time);
  }

  /** The block of that time, on a chain of twelve-second blocks. */
  long block() {
    return (time - FIRST_BLOCK) / BLOCK_SECONDS;
  }

  String amountText() {
    return Figures.text(amount, 8);
  }
}
