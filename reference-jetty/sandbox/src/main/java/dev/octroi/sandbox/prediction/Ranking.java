package dev.octroi.sandbox.prediction;

import java.util.Comparator;
import java.util.List;
import java.util.Map;

/** How lists of wallets are filtered and ordered by what they earned. */
final class Ranking {

  private static final List<String> FIGURES =
      List.of(
          "realized_pnl",
          "volume",
          "trades",
          "roi",
          "profit_factor",
          "win_rate",
          "avg_buy_price",
          "avg_sell_price");

  /** Names that the vendor takes for one of its own. */
  private static final Map<String, String> ALIASES = Map.of("total_pnl", "realized_pnl");

  private Ranking() {}

  static String sortBy(Ask ask) {
    String name =
        ask.choice(
            "sort_by",
            "realized_pnl",
            "volume",
            "roi",
            "profit_factor",
            "win_rate",
            "trades",
            "total_pnl");
    return ALIASES.getOrDefault(name, name);
  }

  /** By a figure of the metrics as the call says. */
  static Comparator<Row> order(Ask ask) {
    String figure = sortBy(ask);
    Comparator<Row> rising = Comparator.comparingDouble(row -> metrics(row).number(figure));
    return ask.descending() ? rising.reversed() : rising;
  }

  /** The rows that keep the call's bounds, in its order. */
  static List<Row> of(Ask ask, List<Row> rows) {
    return rows.stream()
        .filter(
            row -> FIGURES.stream().allMatch(name -> ask.within(name, metrics(row).number(name))))
        .filter(row -> ask.within("entry_edge", row.number("entry_edge")))
        .sorted(order(ask).thenComparing(row -> row.text("user")))
        .toList();
  }

  static Row entry(Wallet wallet, Metrics metrics) {
    return Row.of("user", wallet.address(), "metrics", metrics.row(), "entry_edge", metrics.edge());
  }

  static Row metrics(Row row) {
    return row.get("metrics") instanceof Row metrics ? metrics : row;
  }
}
