package dev.octroi.sandbox.prediction;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The fills of all wallets. Positions, profits, leaderboards, holders and trades are all derived
 * from them, which is why they agree. Immutable.
 */
final class Ledger {

  private final Trading trading;
  private final Trading tradingAtC;
  private final Map<String, List<Fill>> byWallet = new LinkedHashMap<>();
  private final List<Wallet> wallets = Wallet.seeded();
  private final List<Fill> all = new ArrayList<>();

  Ledger(Universe universe) {
    this.trading = new Trading(universe.markets(Venue.A), Venue.A, universe.anchor());
    this.tradingAtC = new Trading(universe.markets(Venue.C), Venue.C, universe.anchor());
    for (Wallet wallet : wallets) {
      List<Fill> fills = List.copyOf(trading.fills(wallet));
      byWallet.put(wallet.address(), fills);
      all.addAll(fills);
    }
    all.sort(Comparator.comparingLong(Fill::time).thenComparing(f -> f.wallet().address()));
  }

  List<Wallet> wallets() {
    return wallets;
  }

  /** What a wallet has done so far, oldest first. */
  List<Fill> of(Wallet wallet, Instant now) {
    List<Fill> fills = byWallet.get(wallet.address());
    return until(fills == null ? trading.fills(wallet) : fills, now);
  }

  /** What a wallet of venue C has done so far, oldest first. */
  List<Fill> atVenueC(Wallet wallet, Instant now) {
    return until(tradingAtC.fills(wallet), now);
  }

  /** What all seeded wallets have done so far, oldest first. */
  List<Fill> all(Instant now) {
    return until(all, now);
  }

  List<Fill> of(Market market, Instant now) {
    return all(now).stream().filter(fill -> fill.market().equals(market)).toList();
  }

  private static List<Fill> until(List<Fill> fills, Instant now) {
    return fills.stream().filter(fill -> fill.time() <= now.getEpochSecond()).toList();
  }
}
