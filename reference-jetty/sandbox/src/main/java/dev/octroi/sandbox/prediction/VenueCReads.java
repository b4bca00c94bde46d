package dev.octroi.sandbox.prediction;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/** Markets, trades and positions of venue C, whose wallets are base58 addresses. */
final class VenueCReads {

  private static final Duration EVER = Duration.ofDays(3_650);
  private static final int MOST_POINTS = 1_000;

  /** Slots of the chain since its beginning, at two and a half a second. */
  private static final long FIRST_SLOT_AT = 1_640_000_000;

  private VenueCReads() {}

  static void addTo(Routes routes) {
    routes
        .get("/venue-c/trades", VenueCReads::trades)
        .get("/venue-c/wallet/positions/:wallet", VenueCReads::positions)
        .get("/venue-c/wallet/pnl/:wallet", VenueCReads::pnl)
        .get("/venue-c/markets", VenueCReads::markets)
        .get("/venue-c/market/:id", ask -> row(market(ask), ask.now()))
        .get("/venue-c/orderbook/:id", VenueCReads::book);
  }

  private static Row trades(Ask ask) {
    Wallet wallet = Wallet.base58(ask.required("wallet"));
    String type = ask.optionalChoice("trade_type", "BUY_FILL", "SELL_FILL", "REDEEM");
    Span span = ask.span(EVER);
    Comparator<Fill> order = Comparator.comparingLong(Fill::time);
    List<Row> rows =
        ask.universe().ledger().atVenueC(wallet, ask.now()).stream()
            .filter(fill -> type == null || type(fill).equalsIgnoreCase(type))
            .filter(fill -> ask.admits("market_ticker", fill.market().ticker()))
            .filter(fill -> ask.admits("outcome_mint", fill.market().mint(fill.yesSide())))
            .filter(fill -> span.holds(fill.time()))
            .sorted(ask.descending() ? order.reversed() : order)
            .map(VenueCReads::trade)
            .toList();
    return Page.byKey(ask, new Row(), "trades", rows, 100, 500);
  }

  private static String type(Fill fill) {
    return fill.trade() ? fill.kind() + "_FILL" : fill.kind().name();
  }

  private static Row trade(Fill fill) {
    Market market = fill.market();
    boolean buys = fill.kind() == Fill.Kind.BUY;
    return Row.of(
            "signature", Chance.base58(fill.hash("signature")) + Chance.base58(fill.hash("of")))
        .with("slot", (fill.time() - FIRST_SLOT_AT) * 5 / 2)
        .with("timestamp", fill.time())
        .with("trade_type", type(fill))
        .with("owner_wallet", fill.wallet().address())
        .with("market_ticker", market.ticker())
        .with("outcome_mint", market.mint(fill.yesSide()))
        .with("input_amount", buys ? fill.usd() : fill.shares())
        .with("output_amount", buys ? fill.shares() : fill.usd())
        .with("trade_price", fill.price())
        .with("realized_pnl", fill.realized())
        .with("fee_amount", fill.fee())
        .with("title", market.title())
        .with("side", fill.yesSide() ? "yes" : "no");
  }

  private static Row positions(Ask ask) {
    Wallet wallet = Wallet.base58(ask.id("wallet"));
    String status = ask.choice("status", "all", "open", "closed");
    String sort = ask.choice("sort_by", "total_cost_basis", "total_qty_bought", "realized_pnl");
    Comparator<Row> rising = Comparator.comparingDouble(row -> row.number(sort));
    List<Row> rows =
        Holding.of(ask.universe().ledger().atVenueC(wallet, ask.now()), ask.now().getEpochSecond())
            .stream()
            .filter(holding -> status.equals("all") || status.equals("open") == holding.open())
            .filter(holding -> ask.admits("market_ticker", holding.market().ticker()))
            .map(VenueCReads::position)
            .filter(row -> ask.admits("outcome_mint", row.text("outcome_mint")))
            .sorted(ask.descending() ? rising.reversed() : rising)
            .toList();
    Row page = Page.byKey(ask, new Row(), "positions", rows, 100, 500);
    return Row.of("wallet", wallet.address(), "positions", page.get("positions"))
        .with("summary", summary(rows))
        .with("pagination", page.get("pagination"));
  }

  private static Row position(Holding holding) {
    Market market = holding.market();
    return Row.of("outcome_mint", market.mint(holding.yesSide()))
        .with("market_ticker", market.ticker())
        .with("market_title", market.title())
        .with("yes_subtitle", market.label())
        .with("no_subtitle", "Not " + market.label())
        .with("outcome", holding.yesSide() ? "yes" : "no")
        .with("status", holding.open() ? "open" : "closed")
        .with("total_cost_basis", holding.cost())
        .with("avg_entry_price", holding.entry())
        .with("realized_pnl", holding.realized())
        .with("fees_paid", holding.fees())
        .with("total_qty_bought", holding.bought())
        .with("total_qty_sold", Numbers.usd(holding.bought() - holding.shares()))
        .with("first_trade_at", holding.first())
        .with("last_trade_at", holding.last());
  }

  private static Row summary(List<Row> positions) {
    long open = positions.stream().filter(row -> row.text("status").equals("open")).count();
    return Row.of("total_positions", positions.size(), "open_positions", open)
        .with("closed_positions", positions.size() - open)
        .with("total_cost_basis", sum(positions, "total_cost_basis"))
        .with("total_realized_pnl", sum(positions, "realized_pnl"))
        .with("total_fees_paid", sum(positions, "fees_paid"));
  }

  private static double sum(List<Row> rows, String name) {
    return Numbers.usd(rows.stream().mapToDouble(row -> row.number(name)).sum());
  }

  /** The profit realised until the end of each period. */
  private static Row pnl(Ask ask) {
    ask.required("granularity");
    Wallet wallet = Wallet.base58(ask.id("wallet"));
    Grid grid = Grid.asked(ask);
    Span span = ask.span(grid.usual()).until(ask.now());
    List<Fill> fills = ask.universe().ledger().atVenueC(wallet, ask.now());
    List<Row> points = new ArrayList<>();
    for (long end : grid.ends(span, MOST_POINTS)) {
      double realized =
          fills.stream().filter(f -> f.time() <= end).mapToDouble(Fill::realized).sum();
      points.add(Row.of("timestamp", end, "pnl_to_date", Numbers.usd(realized)));
    }
    return grid.row(span).with("wallet_address", wallet.address()).with("pnl_over_time", points);
  }

  private static Row markets(Ask ask) {
    List<Row> rows =
        ask.universe().markets(Venue.C).stream()
            .filter(market -> ask.admits("status", market.status(ask.now())))
            .map(market -> row(market, ask.now()))
            .sorted(Comparator.comparingDouble((Row row) -> row.number("volume_usd")).reversed())
            .toList();
    return Page.byKey(ask, new Row(), "markets", rows, 20, 100);
  }

  /** By ticker or by the mint of either outcome. */
  private static Market market(Ask ask) {
    String id = ask.id("id");
    return ask.universe().markets(Venue.C).stream()
        .filter(
            market ->
                market.ticker().equals(id.toUpperCase(Locale.ROOT))
                    || market.mint(true).equals(id)
                    || market.mint(false).equals(id))
        .findFirst()
        .orElseThrow(() -> VendorRefusal.notFound("Market", id));
  }

  private static Row row(Market market, Instant now) {
    double volume = SearchReads.share(market, Venue.C) * Volumes.total(market, now);
    return Row.of("market_ticker", market.ticker(), "title", market.title())
        .with("event_ticker", market.event().ticker())
        .with("yes_subtitle", market.label())
        .with("status", market.status(now))
        .with("yes_mint", market.mint(true))
        .with("no_mint", market.mint(false))
        .with("yes_price", Prices.of(market, Venue.C, true, now.getEpochSecond()))
        .with("no_price", Prices.of(market, Venue.C, false, now.getEpochSecond()))
        .with("volume_usd", Numbers.usd(volume))
        .with("close_time", Numbers.iso(market.end()));
  }

  private static Row book(Ask ask) {
    Market market = market(ask);
    if (market.closed(ask.now())) {
      throw VendorRefusal.marketClosed(market.ticker());
    }
    Book book = Book.of(market, Venue.C, true, ask.now().getEpochSecond());
    return Row.of("market_ticker", market.ticker(), "timestamp", book.second() * 1_000)
        .with("bids", book.bids(false))
        .with("asks", book.asks(false))
        .with("best_bid", book.bid())
        .with("best_ask", book.ask());
  }
}
