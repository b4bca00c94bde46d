package dev.octroi.sandbox.prediction;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** What a wallet of venue A earned and traded over time. */
final class WalletSeriesReads {

  private static final int MOST_POINTS = 1_000;

  private WalletSeriesReads() {}

  static void addTo(Routes routes) {
    routes
        .get(
            "/venue-a/wallet/pnl/:wallet",
            ask -> {
              ask.required("granularity");
              return pnl(ask, ask.wallet("wallet"));
            })
        .get("/venue-a/pnl/:address", WalletSeriesReads::byMarket)
        .get("/venue-a/wallet/volume-chart/:wallet", WalletSeriesReads::volumes)
        .get("/venue-a/rewards/:address", WalletSeriesReads::rewards)
        .get("/wallet/history/:address", WalletSeriesReads::history);
  }

  private static List<Fill> fills(Ask ask, Wallet wallet) {
    return ask.universe().ledger().of(wallet, ask.now()).stream()
        .filter(fill -> ask.admits("condition_id", fill.market().conditionId()))
        .toList();
  }

  /** The profit at the end of each period, realised and not; the last point is the total. */
  private static Row pnl(Ask ask, Wallet wallet) {
    Grid grid = Grid.asked(ask);
    Span span = ask.span(grid.usual()).until(ask.now());
    List<Fill> fills = fills(ask, wallet);
    List<Row> points = new ArrayList<>();
    for (long end : grid.ends(span, MOST_POINTS)) {
      points.add(Row.of("timestamp", end, "pnl_to_date", total(Holding.of(fills, end))));
    }
    List<Holding> last = Holding.of(fills, span.end());
    List<Fill> past = last.stream().flatMap(holding -> holding.fills().stream()).toList();
    Row metrics = new Metrics(past).row();
    return grid.row(span)
        .with("wallet_address", wallet.address())
        .with("realized_pnl", PositionReads.realized(last))
        .with("unrealized_pnl", PositionReads.unrealized(last))
        .with("fees_paid", metrics.get("fees_paid"))
        .with("fees_refunded", metrics.get("fees_refunded"))
        .with("total_pnl", total(last))
        .with("pnl_over_time", points);
  }

  private static Row byMarket(Ask ask) {
    Wallet wallet = ask.wallet("address");
    List<Row> rows =
        Holding.of(fills(ask, wallet), ask.now().getEpochSecond()).stream()
            .sorted(Comparator.comparingDouble(Holding::realized).reversed())
            .map(
                holding ->
                    Row.of("condition_id", holding.market().conditionId())
                        .with("title", holding.market().title())
                        .with("realized_pnl", holding.realized())
                        .with("unrealized_pnl", holding.unrealized()))
            .toList();
    return pnl(ask, wallet).with("by_market", rows);
  }

  private static double total(List<Holding> holdings) {
    return Numbers.usd(PositionReads.realized(holdings) + PositionReads.unrealized(holdings));
  }

  private static Row volumes(Ask ask) {
    Wallet wallet = ask.wallet("wallet");
    Grid grid = Grid.asked(ask);
    Span span = ask.span(grid.usual()).until(ask.now());
    List<Fill> fills = fills(ask, wallet);
    List<Row> data = new ArrayList<>();
    for (long start : grid.starts(span, MOST_POINTS)) {
      Span period = new Span(start, grid.next(start) - 1);
      Metrics metrics =
          new Metrics(fills.stream().filter(fill -> period.holds(fill.time())).toList());
      data.add(
          Row.of("timestamp", start, "total_volume", metrics.volume())
              .with("buy_volume", metrics.bought())
              .with("sell_volume", metrics.sold())
              .with("trades_count", metrics.fills().stream().filter(Fill::trade).count()));
    }
    return Row.of("wallet_address", wallet.address()).and(grid.row(span)).with("data", data);
  }

  private static Row rewards(Ask ask) {
    Wallet wallet = ask.wallet("address");
    List<Row> days = new ArrayList<>();
    long today = ask.now().getEpochSecond() / 86_400;
    double total = 0;
    for (long day = today - 29; day <= today; day++) {
      double amount = Numbers.usd(Chance.between(wallet.key(), day, 0, 4));
      total += amount;
      days.add(Row.of("timestamp", day * 86_400, "amount_usd", amount));
    }
    return Row.of("wallet_address", wallet.address())
        .with("total_rewards_usd", Numbers.usd(total))
        .with("rewards", days);
  }

  private static Row history(Ask ask) {
    Wallet wallet = ask.wallet("address");
    List<Row> rows =
        ask.universe().ledger().of(wallet, ask.now()).stream()
            .sorted(Comparator.comparingLong(Fill::time).reversed())
            .map(WalletSeriesReads::event)
            .toList();
    return Page.byKey(ask, Row.of("address", wallet.address()), "history", rows, 100, 500);
  }

  private static Row event(Fill fill) {
    return Row.of("venue", Venue.A.word(), "type", fill.kind().name())
        .with("condition_id", fill.market().conditionId())
        .with("title", fill.market().title())
        .with("outcome_label", fill.market().side(fill.yesSide()).label())
        .with("shares", fill.shares())
        .with("price", fill.price())
        .with("amount_usd", fill.usd())
        .with("realized_pnl", fill.realized())
        .with("tx_hash", fill.hash("tx"))
        .with("timestamp", fill.time());
  }
}
