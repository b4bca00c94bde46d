package dev.octroi.sandbox.prediction;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What the wallets with the better figures do at venue A. */
final class SmartMoneyReads {

  /** At least one of these criteria must reach its floor. */
  private static final Map<String, Double> FLOORS =
      Map.of(
          "min_realized_pnl", 1_000.0,
          "min_total_pnl", 1_000.0,
          "min_roi", 0.15,
          "min_trades", 100.0,
          "min_volume", 10_000.0);

  private static final List<String> CRITERIA =
      List.of(
          "min_realized_pnl",
          "min_total_pnl",
          "min_roi",
          "min_win_rate",
          "min_profit_factor",
          "min_trades",
          "min_volume");

  private static final double TRADES_FOR_WEAK_CRITERIA = 50;

  private SmartMoneyReads() {}

  static void addTo(Routes routes) {
    routes
        .get("/venue-a/market/:condition_id/smart-money", SmartMoneyReads::positioning)
        .get("/venue-a/markets/smart-activity", SmartMoneyReads::activity);
  }

  /** Wallets that meet the criteria over all their trades, with their figures. */
  private static Map<Wallet, Row> smart(Ask ask) {
    requireCriterion(ask);
    Map<Wallet, Row> smart = new LinkedHashMap<>();
    for (Wallet wallet : ask.universe().ledger().wallets()) {
      Row row = new Metrics(ask.universe().ledger().of(wallet, ask.now())).row();
      row.with("total_pnl", row.get("realized_pnl"));
      if (CRITERIA.stream()
          .allMatch(name -> row.number(name.substring(4)) >= criterion(ask, name))) {
        smart.put(wallet, row);
      }
    }
    return smart;
  }

  private static double criterion(Ask ask, String name) {
    return ask.number(name, Double.NEGATIVE_INFINITY);
  }

  private static void requireCriterion(Ask ask) {
    boolean strong =
        FLOORS.entrySet().stream().anyMatch(f -> criterion(ask, f.getKey()) >= f.getValue());
    boolean weak = ask.text("min_win_rate") != null || ask.text("min_profit_factor") != null;
    if (!strong && !(weak && criterion(ask, "min_trades") >= TRADES_FOR_WEAK_CRITERIA)) {
      throw VendorRefusal.badRequest(
          "Invalid filter combination", "At least one smart wallet criterion is required");
    }
  }

  private static Row criteria(Ask ask) {
    Row row = new Row();
    for (String name : CRITERIA) {
      if (ask.text(name) != null) {
        row.with(name, ask.number(name, 0));
      }
    }
    return row;
  }

  private static Row positioning(Ask ask) {
    Map<Wallet, Row> smart = smart(ask);
    Market market = ask.traded(ask.id("condition_id"));
    String window = WalletReads.window(ask);
    List<Fill> fills =
        Metrics.in(window, ask.universe().ledger().of(market, ask.now()), ask.now())
            .fills()
            .stream()
            .filter(fill -> smart.containsKey(fill.wallet()))
            .toList();
    return Row.of("smart_wallet_criteria", criteria(ask), "window", window)
        .with("positioning", positioning(market, fills, smart));
  }

  private static Row positioning(Market market, List<Fill> fills, Map<Wallet, Row> smart) {
    List<Holding> holdings = Holding.of(fills, Long.MAX_VALUE);
    List<Row> figures =
        holdings.stream().map(h -> smart.getOrDefault(h.wallet(), new Row())).toList();
    long buyers = holdings.stream().filter(holding -> net(holding) > 0).count();
    long sellers = holdings.stream().filter(holding -> net(holding) < 0).count();
    Metrics metrics = new Metrics(fills);
    Row row = metrics.row();
    return Row.of("condition_id", market.conditionId(), "title", market.title())
        .with("market_slug", market.slug())
        .with("smart_wallet_count", holdings.size())
        .with("net_buyers", buyers)
        .with("net_sellers", sellers)
        .with("neutral", holdings.size() - buyers - sellers)
        .with("net_buyers_pct", Numbers.quotient(buyers, holdings.size()))
        .with("total_smart_volume", metrics.volume())
        .with("total_smart_buy_volume", metrics.bought())
        .with("total_smart_sell_volume", metrics.sold())
        .with("avg_smart_buy_price", row.get("avg_buy_price"))
        .with("avg_smart_sell_price", row.get("avg_sell_price"))
        .with("total_smart_realized_pnl", metrics.realized())
        .with("avg_smart_roi", LeaderboardReads.average(figures, "roi"))
        .with("avg_smart_win_rate", LeaderboardReads.average(figures, "win_rate"));
  }

  private static double net(Holding holding) {
    Metrics metrics = new Metrics(holding.fills());
    return metrics.bought() - metrics.sold();
  }

  private static Row activity(Ask ask) {
    Map<Wallet, Row> smart = smart(ask);
    String window = WalletReads.window(ask);
    String sort =
        ask.choice(
            "sort_by", "smart_volume", "smart_wallet_count", "smart_realized_pnl", "avg_smart_roi");
    Map<Market, List<Fill>> fills = new LinkedHashMap<>();
    for (Fill fill :
        Metrics.in(window, ask.universe().ledger().all(ask.now()), ask.now()).fills()) {
      if (smart.containsKey(fill.wallet())) {
        fills.computeIfAbsent(fill.market(), market -> new ArrayList<>()).add(fill);
      }
    }
    Comparator<Row> rising = Comparator.comparingDouble(row -> row.number(sort));
    List<Row> rows =
        fills.entrySet().stream()
            .map(each -> active(positioning(each.getKey(), each.getValue(), smart)))
            .sorted(ask.descending() ? rising.reversed() : rising)
            .toList();
    Row before = Row.of("smart_wallet_criteria", criteria(ask), "window", window);
    return Page.byKey(ask, before, "markets", rows, 100, 100);
  }

  private static Row active(Row positioning) {
    return positioning
        .only("condition_id", "title", "market_slug", "smart_wallet_count")
        .with("smart_volume", positioning.get("total_smart_volume"))
        .with("smart_realized_pnl", positioning.get("total_smart_realized_pnl"))
        .with("avg_smart_roi", positioning.get("avg_smart_roi"))
        .with("avg_smart_win_rate", positioning.get("avg_smart_win_rate"))
        .with("net_buyers_pct", positioning.get("net_buyers_pct"));
  }
}
