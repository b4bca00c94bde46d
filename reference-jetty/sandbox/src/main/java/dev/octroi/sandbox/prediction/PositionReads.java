package dev.octroi.sandbox.prediction;

import java.time.Instant;
import java.util.Comparator;
import java.util.List;

/** What wallets of venue A hold. */
final class PositionReads {

  private PositionReads() {}

  static void addTo(Routes routes) {
    routes
        .get("/venue-a/wallet/positions/:wallet", ask -> ofWallet(ask, ask.wallet("wallet"), true))
        .get("/venue-a/positions/:address", ask -> ofWallet(ask, ask.wallet("address"), false))
        .get("/venue-a/positions/history/:address", PositionReads::history)
        .get("/venue-a/positions", PositionReads::all)
        .get("/wallet/portfolio/:address", PositionReads::portfolio);
  }

  private static List<Holding> holdings(Ask ask, Wallet wallet) {
    return Holding.of(ask.universe().ledger().of(wallet, ask.now()), ask.now().getEpochSecond());
  }

  private static boolean admitted(Ask ask, Holding holding) {
    return ask.admits("condition_id", holding.market().conditionId())
        && ask.admits("market_slug", holding.market().slug())
        && holding.shares() >= ask.number("min_shares", 0);
  }

  private static Comparator<Holding> order(Ask ask) {
    String sort =
        ask.choice(
            "sort_by",
            "value",
            "unrealized_pnl",
            "realized_pnl",
            "cost",
            "avg_price",
            "current_price",
            "entry_date");
    Comparator<Holding> rising =
        switch (sort) {
          case "unrealized_pnl" -> Comparator.comparingDouble(Holding::unrealized);
          case "realized_pnl" -> Comparator.comparingDouble(Holding::realized);
          case "cost" -> Comparator.comparingDouble(Holding::cost);
          case "avg_price" -> Comparator.comparingDouble(Holding::entry);
          case "current_price" -> Comparator.comparingDouble(Holding::price);
          case "entry_date" -> Comparator.comparingLong(Holding::first);
          default -> Comparator.comparingDouble(Holding::value);
        };
    return (ask.descending() ? rising.reversed() : rising)
        .thenComparing(holding -> holding.market().slug());
  }

  private static Row ofWallet(Ask ask, Wallet wallet, boolean closedToo) {
    boolean closed = ask.flag("include_closed", closedToo);
    List<Holding> holdings =
        holdings(ask, wallet).stream()
            .filter(holding -> (closed || holding.open()) && admitted(ask, holding))
            .sorted(order(ask))
            .toList();
    List<Row> rows = holdings.stream().map(holding -> row(holding, ask.now())).toList();
    Row body = Page.byKey(ask, new Row(), "positions", rows, 100, 200);
    return Row.of("wallet_address", wallet.address())
        .with("positions", body.get("positions"))
        .with("summary", summary(holdings))
        .with("pagination", body.get("pagination"));
  }

  /** One position as the wallet endpoints show it. */
  static Row row(Holding holding, Instant now) {
    return Row.of("market", market(holding, now))
        .with(
            "position",
            Row.of("shares", holding.shares(), "avg_entry_price", holding.entry())
                .with("total_cost_usd", holding.cost()))
        .with("current", Row.of("price", holding.price(), "value_usd", holding.value()))
        .with("pnl", pnl(holding));
  }

  private static Row market(Holding holding, Instant now) {
    Market market = holding.market();
    boolean won = market.comesTrue() == holding.yesSide();
    String resolved = won ? "resolved_win" : "resolved_loss";
    return Row.of("condition_id", market.conditionId(), "market_slug", market.slug())
        .with("title", market.title())
        .with("side", holding.yesSide() ? "YES" : "NO")
        .with("side_label", holding.side().label())
        .with("token_id", holding.side().tokenId())
        .with("status", market.closed(now) ? resolved : "open");
  }

  private static Row pnl(Holding holding) {
    return Row.of("unrealized_usd", holding.unrealized())
        .with(
            "unrealized_pct",
            Numbers.usd(100 * Numbers.quotient(holding.unrealized(), holding.cost())))
        .with("realized_usd", holding.realized());
  }

  private static Row summary(List<Holding> holdings) {
    double winners = holdings.stream().filter(h -> h.unrealized() + h.realized() > 0).count();
    double fees = holdings.stream().mapToDouble(Holding::fees).sum();
    double refunds = holdings.stream().mapToDouble(Holding::refunds).sum();
    return Row.of("total_positions", holdings.size())
        .with("total_value_usd", Numbers.usd(holdings.stream().mapToDouble(Holding::value).sum()))
        .with("total_cost_usd", Numbers.usd(holdings.stream().mapToDouble(Holding::cost).sum()))
        .with("total_unrealized_pnl_usd", unrealized(holdings))
        .with("total_realized_pnl_usd", realized(holdings))
        .with("win_rate", Numbers.quotient(winners, holdings.size()))
        .with("winning_positions", (long) winners)
        .with("losing_positions", holdings.size() - (long) winners)
        .with("fees_paid", Numbers.usd(fees))
        .with("fees_refunded", Numbers.usd(refunds))
        .with("net_fees", Numbers.usd(fees - refunds));
  }

  static double unrealized(List<Holding> holdings) {
    return Numbers.usd(holdings.stream().mapToDouble(Holding::unrealized).sum());
  }

  static double realized(List<Holding> holdings) {
    return Numbers.usd(holdings.stream().mapToDouble(Holding::realized).sum());
  }

  private static Row all(Ask ask) {
    String wallet = ask.text("wallet");
    Ledger ledger = ask.universe().ledger();
    List<Fill> fills =
        wallet == null ? ledger.all(ask.now()) : ledger.of(Wallet.hex(wallet), ask.now());
    List<Row> rows =
        Holding.of(fills, ask.now().getEpochSecond()).stream()
            .filter(holding -> holding.open() && admitted(ask, holding))
            .sorted(order(ask).thenComparing(holding -> holding.wallet().address()))
            .map(holding -> detailed(holding, ask.now()))
            .toList();
    return Page.byKey(ask, new Row(), "positions", rows, 100, 200);
  }

  private static Row detailed(Holding holding, Instant now) {
    Row row = row(holding, now);
    Row position =
        Row.of("shares", holding.shares(), "total_shares_bought", holding.bought())
            .with("avg_entry_price", holding.entry())
            .with("total_cost_usd", holding.cost())
            .with("net_fees_usd", Numbers.usd(holding.fees() - holding.refunds()));
    return Row.of("user", holding.wallet().address())
        .and(row.with("position", position))
        .with("last_updated_at", holding.last())
        .with("last_updated_block", 60_000_000 + holding.last() / 2 % 30_000_000);
  }

  private static Row history(Ask ask) {
    Wallet wallet = ask.wallet("address");
    List<Row> rows =
        holdings(ask, wallet).stream()
            .filter(holding -> !holding.open())
            .sorted(Comparator.comparingLong(Holding::last).reversed())
            .map(holding -> row(holding, ask.now()).with("closed_at", holding.last()))
            .toList();
    return Page.byKey(ask, Row.of("wallet_address", wallet.address()), "positions", rows, 100, 200);
  }

  private static Row portfolio(Ask ask) {
    Wallet wallet = ask.wallet("address");
    List<Holding> holdings = holdings(ask, wallet);
    List<Row> rows =
        holdings.stream()
            .filter(Holding::open)
            .sorted(Comparator.comparingDouble(Holding::value).reversed())
            .map(holding -> row(holding, ask.now()).with("venue", Venue.A.word()))
            .toList();
    return Row.of("address", wallet.address(), "venues", List.of(Venue.A.word()))
        .with("summary", summary(holdings))
        .with("positions", rows);
  }
}
