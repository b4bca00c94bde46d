package dev.octroi.sandbox.cryptodata;

import dev.octroi.sandbox.vendor.Figures;
import dev.octroi.sandbox.vendor.Seeded;
import java.util.ArrayList;
import java.util.List;

/**
 * So much of a token in a wallet on a chain.
 *
 * @param amount in whole coins
 */
record Holding(Token token, String chain, double amount) {

  private static final List<String> CHAINS =
      List.of("ethereum", "base", "arbitrum", "optimism", "polygon", "bsc");

  /** What a wallet holds, from its address alone: two to seven tokens, each once. */
  static List<Holding> of(String address) {
    Seeded seeded = Seeded.of("wallet", address);
    boolean evm = address.startsWith("0x");
    List<Token> left = new ArrayList<>(Token.ALL);
    List<Holding> holdings = new ArrayList<>();
    for (long count = seeded.whole(2, 7); count > 0; count--) {
      Token token = left.remove(seeded.index(left.size()));
      String chain = evm ? seeded.pick(CHAINS) : "solana";
      double worth = seeded.skewed(40, 300_000, 2);
      holdings.add(new Holding(token, chain, Prices.significant(worth / token.middle())));
    }
    return holdings;
  }

  /** Its worth in cents' precision at a time. */
  double usd(long second) {
    return Figures.round(amount * Prices.usd(token, second), 2);
  }

  /** What all of them are worth together. */
  static double total(List<Holding> holdings, long second) {
    return Figures.round(holdings.stream().mapToDouble(held -> held.usd(second)).sum(), 2);
  }
}
