package dev.octroi.sandbox.prediction;

import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What is traded, held and offered in the markets of venue A. */
final class VolumeReads {

  private static final int MOST_POINTS = 2_000;

  private VolumeReads() {}

  static void addTo(Routes routes) {
    routes
        .get("/venue-a/volume-chart/:condition_id", VolumeReads::chart)
        .get("/venue-a/markets/:token_id/volume", VolumeReads::ofToken)
        .get("/venue-a/markets/:condition_id/open_interest", VolumeReads::openInterest)
        .get("/venue-a/volume/:id", VolumeReads::ofMarket)
        .get("/venue-a/volume/aggregate", VolumeReads::aggregate)
        .get("/venue-a/liquidity/:id", VolumeReads::liquidity);
  }

  private static Row chart(Ask ask) {
    Market market = ask.traded(ask.id("condition_id"));
    Grid grid = Grid.of(ask.choice("granularity", "hour", "day", "week"));
    Span span = ask.requiredSpan();
    List<Row> data = new ArrayList<>();
    for (long start : grid.starts(span.until(ask.now()), MOST_POINTS)) {
      double volume = Numbers.usd(Volumes.between(market, start, grid.next(start)));
      double yes = Numbers.usd(volume * (0.3 + 0.4 * Chance.unit(market.key(), start)));
      data.add(
          Row.of("timestamp", start, "total_volume", volume, "yes_volume", yes)
              .with("no_volume", Numbers.usd(volume - yes))
              .with("trades_count", Volumes.trades(market, volume)));
    }
    return Row.of("condition_id", market.conditionId()).and(grid.row(span)).with("data", data);
  }

  private static Row ofToken(Ask ask) {
    String token = ask.id("token_id");
    Market market =
        ask.universe().byToken(token).orElseThrow(() -> VendorRefusal.notFound("Token", token));
    Grid grid = Grid.asked(ask);
    Span span = ask.span(grid.usual());
    List<Row> data = new ArrayList<>();
    double share = market.yes().tokenId().equals(token) ? 0.55 : 0.45;
    for (long start : grid.starts(span.until(ask.now()), MOST_POINTS)) {
      double volume = Numbers.usd(share * Volumes.between(market, start, grid.next(start)));
      double bought = Numbers.usd(volume * Volumes.buying(market));
      data.add(
          Row.of("timestamp", start, "volume", volume, "buy_volume", bought)
              .with("sell_volume", Numbers.usd(volume - bought)));
    }
    return Row.of("token_id", token).and(grid.row(span)).with("volume_over_time", data);
  }

  private static Row openInterest(Ask ask) {
    Market market = ask.traded(ask.id("condition_id"));
    Grid grid = Grid.asked(ask);
    Span span = ask.span(grid.usual());
    List<Row> data = new ArrayList<>();
    for (long start : grid.starts(span.until(ask.now()), MOST_POINTS)) {
      data.add(
          Row.of("timestamp", start, "open_interest_usd", Volumes.openInterest(market, start)));
    }
    return Row.of("condition_id", market.conditionId(), "market_id", market.marketId())
        .and(grid.row(span))
        .with("open_interest_over_time", data);
  }

  private static Row ofMarket(Ask ask) {
    Market market = ask.market(ask.id("id"));
    return Row.of("condition_id", market.conditionId(), "market_slug", market.slug())
        .and(windows(List.of(market), ask.now()));
  }

  private static Row windows(List<Market> markets, Instant now) {
    Row row = new Row();
    for (int days : new int[] {1, 7, 30}) {
      double volume = markets.stream().mapToDouble(m -> Volumes.last(m, now, days * 86_400L)).sum();
      row.with("volume_" + days + "d", Numbers.usd(volume));
    }
    double total = markets.stream().mapToDouble(m -> Volumes.total(m, now)).sum();
    return row.with("total_volume_usd", Numbers.usd(total));
  }

  private static Row aggregate(Ask ask) {
    Map<String, List<Market>> groups = new LinkedHashMap<>();
    List<Market> markets = ask.universe().markets(Venue.A);
    markets.forEach(
        m -> groups.computeIfAbsent(m.event().category(), c -> new ArrayList<>()).add(m));
    List<Row> rows =
        groups.entrySet().stream()
            .map(
                group ->
                    Row.of("category", group.getKey(), "markets", group.getValue().size())
                        .and(windows(group.getValue(), ask.now())))
            .toList();
    return windows(markets, ask.now()).with("by_category", rows);
  }

  private static Row liquidity(Ask ask) {
    Market market = ask.live(ask.id("id"));
    Book book = Book.of(market, Venue.A, true, ask.now().getEpochSecond());
    return Row.of("condition_id", market.conditionId(), "market_slug", market.slug())
        .with("liquidity_usd", Volumes.liquidity(market, ask.now()))
        .with("bid_depth", book.bidDepth())
        .with("ask_depth", book.askDepth())
        .with("spread", Numbers.ratio(book.ask() - book.bid()))
        .with("timestamp", ask.now().getEpochSecond());
  }
}
