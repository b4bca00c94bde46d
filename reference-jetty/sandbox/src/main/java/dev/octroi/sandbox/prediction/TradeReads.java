package dev.octroi.sandbox.prediction;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** What has been traded at venue A, and what wallets did besides. */
final class TradeReads {

  private static final Duration EVER = Duration.ofDays(3_650);

  private TradeReads() {}

  static void addTo(Routes routes) {
    routes
        .get("/venue-a/trades", TradeReads::filtered)
        .get("/venue-a/trades/:id", TradeReads::ofPath)
        .get("/venue-a/trades/live", ask -> page(ask, ask.universe().ledger().all(ask.now())))
        .get("/venue-a/activity", ask -> activity(ask, Wallet.hex(ask.required("wallet"))))
        .get("/venue-a/activity/:address", TradeReads::activityOfPath);
  }

  private static Row filtered(Ask ask) {
    String wallet = ask.text("wallet");
    String name = ask.text("condition_id", ask.text("market_slug", ask.text("token_id", "")));
    if (wallet == null && name.isEmpty()) {
      throw VendorRefusal.badRequest(
          "Missing filter", "One of market_slug, condition_id, token_id or wallet is required");
    }
    Ledger ledger = ask.universe().ledger();
    if (wallet != null) {
      return page(ask, ledger.of(Wallet.hex(wallet), ask.now()));
    }
    Market market = ask.universe().byAnyName(name).orElse(null);
    return page(ask, market == null ? List.of() : ofMarket(ask, ask.traded(name)));
  }

  private static Row ofPath(Ask ask) {
    Market market = ask.traded(ask.id("id"));
    return Row.of("condition_id", market.conditionId()).and(page(ask, ofMarket(ask, market)));
  }

  private static List<Fill> ofMarket(Ask ask, Market market) {
    return ask.universe().ledger().of(market, ask.now());
  }

  private static Row page(Ask ask, List<Fill> fills) {
    Span span = ask.span(EVER);
    double least = ask.number("min_total", 0);
    Comparator<Fill> order = Comparator.comparingLong(Fill::time);
    List<Row> rows =
        fills.stream()
            .filter(Fill::trade)
            .filter(fill -> ask.admits("condition_id", fill.market().conditionId()))
            .filter(fill -> ask.admits("market_slug", fill.market().slug()))
            .filter(fill -> ask.admits("token_id", token(fill)))
            .filter(fill -> span.holds(fill.time()) && fill.usd() >= least)
            .sorted(ask.descending() ? order.reversed() : order)
            .map(fill -> row(fill, ask))
            .toList();
    return Page.byKey(ask, new Row(), "trades", rows, 100, 500);
  }

  private static String token(Fill fill) {
    return fill.market().side(fill.yesSide()).tokenId();
  }

  private static Row row(Fill fill, Ask ask) {
    Market market = fill.market();
    List<Wallet> wallets = ask.universe().ledger().wallets();
    Wallet taker = wallets.get(Chance.below(fill.wallet().key(), fill.time(), wallets.size()));
    return Row.of("token_id", token(fill), "side", fill.kind().name())
        .with("market_slug", market.slug())
        .with("condition_id", market.conditionId())
        .with("shares", Math.round(fill.shares() * 1_000_000))
        .with("shares_normalized", fill.shares())
        .with("price", fill.price())
        .with("amount_usd", fill.usd())
        .with("tx_hash", fill.hash("tx"))
        .with("title", market.title())
        .with("timestamp", fill.time())
        .with("order_hash", fill.hash("order"))
        .with("user", fill.wallet().address())
        .with("taker", taker.address())
        .with("is_yes_side", fill.yesSide())
        .with("outcome_label", market.side(fill.yesSide()).label())
        .with("fee_usd", fill.fee());
  }

  private static Row activityOfPath(Ask ask) {
    Wallet wallet = ask.wallet("address");
    return Row.of("wallet_address", wallet.address()).and(activity(ask, wallet));
  }

  private static Row activity(Ask ask, Wallet wallet) {
    Span span = ask.span(EVER);
    String sort = ask.choice("sort_by", "timestamp", "type");
    Comparator<Row> order =
        sort.equals("type")
            ? Comparator.comparing((Row row) -> row.text("side")).thenComparing(TradeReads::time)
            : Comparator.comparing(TradeReads::time);
    List<Row> rows =
        activities(ask.universe().ledger().of(wallet, ask.now())).stream()
            .filter(row -> span.holds(time(row)))
            .filter(row -> ask.admits("market_slug", row.text("market_slug")))
            .filter(row -> ask.admits("condition_id", row.text("condition_id")))
            .sorted(ask.descending() ? order.reversed() : order)
            .toList();
    return Page.byKey(ask, new Row(), "activities", rows, 100, 500);
  }

  private static long time(Row row) {
    return (long) row.number("timestamp");
  }

  /** Redemptions, and sets of both outcomes that were split and merged again beside a trade. */
  private static List<Row> activities(List<Fill> fills) {
    List<Row> rows = new ArrayList<>();
    for (Fill fill : fills) {
      if (fill.kind() == Fill.Kind.REDEEM) {
        rows.add(activity(fill, "REDEEM", fill.time(), fill.shares(), fill.price()));
      } else if (Chance.unit(fill.wallet().key(), fill.time()) < 0.2) {
        double shares = Numbers.usd(fill.shares() / 10);
        rows.add(activity(fill, "SPLIT", fill.time() - 120, shares, 1));
        rows.add(activity(fill, "MERGE", fill.time() - 60, shares, 1));
      }
    }
    return rows;
  }

  private static Row activity(Fill fill, String side, long time, double shares, double price) {
    Market market = fill.market();
    return Row.of("side", side, "market_slug", market.slug(), "market_id", market.marketId())
        .with("condition_id", market.conditionId())
        .with("shares", Math.round(shares * 1_000_000))
        .with("shares_normalized", shares)
        .with("amount_usd", Numbers.usd(shares * price))
        .with("price", price)
        .with("tx_hash", fill.hash(side))
        .with("title", market.title())
        .with("timestamp", time)
        .with("user", fill.wallet().address());
  }
}
