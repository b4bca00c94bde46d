package dev.octroi.sandbox.prediction;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What wallets of venue A have earned, and where. */
final class WalletReads {

  private static final int MOST_PROFILES = 20;
  private static final int MOST_MARKETS = 10;

  private WalletReads() {}

  static void addTo(Routes routes) {
    routes
        .get("/venue-a/wallet/:wallet", ask -> profile(ask, ask.wallet("wallet")))
        .get("/venue-a/wallets/profiles", WalletReads::profiles)
        .get("/venue-a/wallet/:wallet/markets", WalletReads::markets)
        .get("/venue-a/wallet/:wallet/similar", WalletReads::similar)
        .get("/venue-a/wallets/filter", WalletReads::filter);
  }

  static String window(Ask ask) {
    return ask.choice("window", "all_time", "1d", "7d", "30d");
  }

  private static Row profile(Ask ask, Wallet wallet) {
    Instant now = ask.now();
    List<Fill> fills = ask.universe().ledger().of(wallet, now);
    Row metrics =
        Row.of("one_day", Metrics.in("1d", fills, now).row())
            .with("seven_day", Metrics.in("7d", fills, now).row())
            .with("thirty_day", Metrics.in("30d", fills, now).row())
            .with("all_time", new Metrics(fills).row().and(lifetime(fills, now)));
    return Row.of("user", wallet.address(), "metrics", metrics)
        .with("trading_styles", wallet.styles())
        .with("entry_edge", new Metrics(fills).edge())
        .with("first_trade_at", fills.get(0).time())
        .with("last_trade_at", fills.get(fills.size() - 1).time())
        .with("computed_at", now.getEpochSecond());
  }

  private static Row lifetime(List<Fill> fills, Instant now) {
    List<Holding> holdings = Holding.of(fills, now.getEpochSecond());
    double held = holdings.stream().mapToDouble(h -> h.last() - h.first()).average().orElse(0);
    int[] streaks = streaks(fills);
    return Row.of("avg_hold_time_seconds", Numbers.usd(held))
        .with("wallet_age_days", (now.getEpochSecond() - fills.get(0).time()) / 86_400)
        .with("total_positions", holdings.size())
        .with("active_positions", holdings.stream().filter(Holding::open).count())
        .with("max_win_streak", streaks[0])
        .with("max_loss_streak", streaks[1])
        .with("best_position_realized_pnl", realized(holdings, true))
        .with("worst_position_realized_pnl", realized(holdings, false));
  }

  private static double realized(List<Holding> holdings, boolean best) {
    Comparator<Double> order = best ? Comparator.naturalOrder() : Comparator.reverseOrder();
    return holdings.stream().map(Holding::realized).max(order).orElse(0.0);
  }

  /** The longest runs of closed trades with a gain and without. */
  private static int[] streaks(List<Fill> fills) {
    int[] longest = new int[2];
    int run = 0;
    int kind = 0;
    for (Fill fill : fills) {
      if (fill.kind() != Fill.Kind.BUY) {
        int each = fill.realized() > 0 ? 0 : 1;
        run = each == kind ? run + 1 : 1;
        kind = each;
        longest[kind] = Math.max(longest[kind], run);
      }
    }
    return longest;
  }

  private static Row profiles(Ask ask) {
    ask.required("addresses");
    List<String> addresses = ask.list("addresses");
    if (addresses.size() > MOST_PROFILES) {
      throw VendorRefusal.badRequest("Too many addresses", "At most " + MOST_PROFILES);
    }
    List<Row> rows = new ArrayList<>();
    for (String address : addresses) {
      if (!address.equalsIgnoreCase(Wallet.UNKNOWN)) {
        rows.add(profile(ask, Wallet.hex(address)));
      }
    }
    return Row.of("profiles", rows);
  }

  private static Row markets(Ask ask) {
    Wallet wallet = ask.wallet("wallet");
    String window = window(ask);
    List<Fill> fills =
        Metrics.in(window, ask.universe().ledger().of(wallet, ask.now()), ask.now()).fills();
    List<Row> rows =
        Holding.of(fills, Long.MAX_VALUE).stream()
            .map(WalletReads::market)
            .filter(row -> ask.within("trades", Ranking.metrics(row).number("trades")))
            .sorted(Ranking.order(ask))
            .toList();
    Row before = Row.of("user", wallet.address(), "window", window);
    return Page.byKey(ask, before, "markets", rows, 100, 100);
  }

  private static Row market(Holding holding) {
    Metrics metrics = new Metrics(holding.fills());
    return Row.of("condition_id", holding.market().conditionId())
        .with("title", holding.market().title())
        .with("market_slug", holding.market().slug())
        .with("metrics", metrics.row())
        .with("entry_edge", metrics.edge())
        .with("first_trade_at", holding.first())
        .with("last_trade_at", holding.last());
  }

  private static Set<String> traded(List<Fill> fills) {
    Set<String> markets = new HashSet<>();
    fills.forEach(fill -> markets.add(fill.market().conditionId()));
    return markets;
  }

  private static Row similar(Ask ask) {
    Wallet target = ask.wallet("wallet");
    String window = window(ask);
    Ledger ledger = ask.universe().ledger();
    Set<String> own = traded(Metrics.in(window, ledger.of(target, ask.now()), ask.now()).fills());
    List<Row> rows = new ArrayList<>();
    for (Wallet wallet : ledger.wallets()) {
      if (!wallet.equals(target)) {
        Row row = overlap(own, wallet, Metrics.in(window, ledger.of(wallet, ask.now()), ask.now()));
        double shared = row.number("markets_overlap");
        if (shared >= Math.max(1, ask.number("min_overlap_markets", 1))
            && row.number("overlap_pct") >= ask.number("min_overlap_pct", 0)) {
          rows.add(row);
        }
      }
    }
    rows.sort(
        Comparator.comparingDouble((Row row) -> row.number("markets_overlap"))
            .reversed()
            .thenComparing(row -> row.text("user")));
    Row before =
        Row.of("target_wallet", target.address(), "target_market_count", own.size())
            .with("window", window);
    return Page.byKey(ask, before, "similar_wallets", Row.ranked(rows), 50, 100);
  }

  private static Row overlap(Set<String> own, Wallet wallet, Metrics metrics) {
    Set<String> theirs = traded(metrics.fills());
    long shared = theirs.stream().filter(own::contains).count();
    return Row.of("user", wallet.address(), "markets_overlap", shared)
        .with("overlap_pct", Numbers.quotient(shared, own.size()))
        .with("total_markets", theirs.size())
        .with("metrics", metrics.row());
  }

  private static Row filter(Ask ask) {
    ask.required("markets");
    List<String> markets = ask.list("markets");
    if (markets.size() > MOST_MARKETS) {
      throw VendorRefusal.badRequest("Too many markets", "At most " + MOST_MARKETS);
    }
    String logic = ask.choice("market_logic", "and", "or");
    String window = window(ask);
    Map<String, Row> rows = new LinkedHashMap<>();
    for (Wallet wallet : ask.universe().ledger().wallets()) {
      List<Fill> fills =
          ask.universe().ledger().of(wallet, ask.now()).stream()
              .filter(fill -> markets.contains(fill.market().conditionId()))
              .toList();
      Metrics metrics = Metrics.in(window, fills, ask.now());
      if (metrics.markets() >= (logic.equals("and") ? markets.size() : 1)) {
        rows.put(
            wallet.address(),
            Ranking.entry(wallet, metrics).with("markets_matched", metrics.markets()));
      }
    }
    Row before =
        Row.of("markets", markets, "market_logic", logic, "window", window)
            .with("sort_by", Ranking.sortBy(ask));
    List<Row> ranked = Row.ranked(Ranking.of(ask, new ArrayList<>(rows.values())));
    return Page.byKey(ask, before, "entries", ranked, 100, 100);
  }
}
