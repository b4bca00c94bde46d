package dev.octroi.sandbox.prediction;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/** Wallets of venue A in the order of what they earned, hold or trade. */
final class LeaderboardReads {

  private LeaderboardReads() {}

  static void addTo(Routes routes) {
    routes
        .get("/venue-a/leaderboard", LeaderboardReads::global)
        .get("/venue-a/leaderboard/market/:condition_id", LeaderboardReads::ofMarket)
        .get("/venue-a/leaderboard/volume", LeaderboardReads::byVolume)
        .get("/venue-a/cohorts/stats", LeaderboardReads::cohorts)
        .get("/venue-a/market/:condition_id/top-holders", LeaderboardReads::holders);
  }

  private static Row global(Ask ask) {
    String window = WalletReads.window(ask);
    List<Row> entries = new ArrayList<>();
    for (Wallet wallet : ask.universe().ledger().wallets()) {
      List<Fill> all = ask.universe().ledger().of(wallet, ask.now());
      Metrics metrics = Metrics.in(window, all, ask.now());
      if (!metrics.none() && styleAdmitted(ask, wallet) && lifeAdmitted(ask, all, metrics)) {
        entries.add(
            Row.of("user", wallet.address(), "metrics", metrics.row())
                .with("trading_styles", wallet.styles())
                .with("entry_edge", metrics.edge()));
      }
    }
    Row before = Row.of("window", window, "sort_by", Ranking.sortBy(ask));
    return Page.byKey(ask, before, "entries", Row.ranked(Ranking.of(ask, entries)), 100, 100);
  }

  private static boolean styleAdmitted(Ask ask, Wallet wallet) {
    String style = wallet.style().name();
    boolean excluded = !ask.list("exclude_style").isEmpty() && ask.admits("exclude_style", style);
    return ask.admits("style", style) && !excluded;
  }

  private static boolean lifeAdmitted(Ask ask, List<Fill> all, Metrics metrics) {
    double age = (ask.now().getEpochSecond() - all.get(0).time()) / 86_400.0;
    double trades = Math.max(1, metrics.row().number("trades"));
    return ask.within("wallet_age_days", age)
        && ask.within("avg_trade_usd", metrics.volume() / trades);
  }

  private static Row ofMarket(Ask ask) {
    Market market = ask.traded(ask.id("condition_id"));
    String window = WalletReads.window(ask);
    List<Row> entries = new ArrayList<>();
    for (Holding holding :
        Holding.of(ask.universe().ledger().of(market, ask.now()), Long.MAX_VALUE)) {
      Metrics metrics = Metrics.in(window, holding.fills(), ask.now());
      if (!metrics.none()) {
        entries.add(
            Row.of("user", holding.wallet().address(), "metrics", metrics.row())
                .with("trading_styles", holding.wallet().styles())
                .with("entry_edge", metrics.edge()));
      }
    }
    Row before =
        Row.of("condition_id", market.conditionId(), "window", window)
            .with("sort_by", Ranking.sortBy(ask));
    return Page.byKey(ask, before, "entries", Row.ranked(Ranking.of(ask, entries)), 100, 100);
  }

  private static Row byVolume(Ask ask) {
    String window = WalletReads.window(ask);
    List<Row> entries = new ArrayList<>();
    for (Wallet wallet : ask.universe().ledger().wallets()) {
      Metrics metrics =
          Metrics.in(window, ask.universe().ledger().of(wallet, ask.now()), ask.now());
      entries.add(
          Row.of("user", wallet.address(), "volume", metrics.volume())
              .with("buy_volume", metrics.bought())
              .with("sell_volume", metrics.sold())
              .with("markets", metrics.markets()));
    }
    entries.sort(Comparator.comparingDouble((Row row) -> row.number("volume")).reversed());
    Row before = Row.of("window", window);
    return Page.byKey(ask, before, "entries", Row.ranked(entries), 100, 100);
  }

  private static Row cohorts(Ask ask) {
    String window = WalletReads.window(ask);
    double least = ask.number("min_trades", 10);
    List<Row> cohorts = new ArrayList<>();
    int wallets = 0;
    for (Wallet.Style style : Wallet.Style.values()) {
      List<Row> members =
          ask.universe().ledger().wallets().stream()
              .filter(wallet -> wallet.style() == style)
              .map(
                  w ->
                      Metrics.in(window, ask.universe().ledger().of(w, ask.now()), ask.now()).row())
              .filter(row -> row.number("trades") >= least)
              .toList();
      wallets += members.size();
      if (!members.isEmpty()) {
        cohorts.add(cohort(style, members));
      }
    }
    return Row.of("window", window, "cohorts", cohorts, "total_wallets", wallets);
  }

  private static Row cohort(Wallet.Style style, List<Row> members) {
    double[] earned =
        members.stream().mapToDouble(row -> row.number("realized_pnl")).sorted().toArray();
    double winners = Arrays.stream(earned).filter(pnl -> pnl > 0).count();
    return Row.of("cohort_name", style.name(), "wallet_count", members.size())
        .with("total_volume", sum(members, "volume"))
        .with("total_realized_pnl", sum(members, "realized_pnl"))
        .with("avg_realized_pnl", average(members, "realized_pnl"))
        .with("median_realized_pnl", earned[earned.length / 2])
        .with("avg_roi", average(members, "roi"))
        .with("avg_win_rate", average(members, "win_rate"))
        .with("avg_profit_factor", average(members, "profit_factor"))
        .with("avg_trades", average(members, "trades"))
        .with("profitable_wallet_pct", Numbers.quotient(winners, members.size()))
        .with("total_fees_paid", sum(members, "fees_paid"))
        .with("total_fees_refunded", sum(members, "fees_refunded"))
        .with("avg_fees_paid", average(members, "fees_paid"))
        .with("avg_fees_refunded", average(members, "fees_refunded"));
  }

  private static double sum(List<Row> rows, String name) {
    return Numbers.usd(rows.stream().mapToDouble(row -> row.number(name)).sum());
  }

  static double average(List<Row> rows, String name) {
    return Numbers.ratio(rows.stream().mapToDouble(row -> row.number(name)).average().orElse(0));
  }

  private static Row holders(Ask ask) {
    Market market = ask.traded(ask.id("condition_id"));
    String side = ask.optionalChoice("side", "yes", "no");
    List<Row> entries =
        Holding.of(ask.universe().ledger().of(market, ask.now()), ask.now().getEpochSecond())
            .stream()
            .filter(holding -> holding.shares() >= Math.max(0.01, ask.number("min_shares", 0)))
            .filter(holding -> side == null || holding.yesSide() == side.equals("yes"))
            .sorted(Comparator.comparingDouble(Holding::shares).reversed())
            .map(LeaderboardReads::holder)
            .toList();
    Row before =
        Row.of("condition_id", market.conditionId(), "title", market.title())
            .with("market_slug", market.slug())
            .with("side", side);
    return Page.byKey(ask, before, "entries", Row.ranked(entries), 100, 100);
  }

  private static Row holder(Holding holding) {
    return Row.of("user", holding.wallet().address(), "token_id", holding.side().tokenId())
        .with("position_shares", holding.shares())
        .with("position_value_usd", holding.value())
        .with("side", holding.side().label())
        .with("avg_price", holding.entry())
        .with("realized_pnl", holding.realized())
        .with("unrealized_pnl", holding.unrealized())
        .with("trade_count", holding.fills().size())
        .with("first_trade_at", holding.first())
        .with("last_trade_at", holding.last());
  }
}
