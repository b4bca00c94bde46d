package dev.octroi.sandbox.prediction;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/** Markets, events, trades and books of venue B. */
final class VenueBReads {

  /** A trade happens so often in a market, in seconds, a little earlier or later. */
  private static final long PACE = 900;

  private static final int MOST_TRADES = 5_000;
  private static final Duration USUAL = Duration.ofDays(7);

  private VenueBReads() {}

  static void addTo(Routes routes) {
    routes
        .get("/venue-b/markets", VenueBReads::markets)
        .get("/venue-b/market/:ticker", ask -> row(market(ask, ask.id("ticker")), ask.now()))
        .get("/venue-b/events", VenueBReads::events)
        .get("/venue-b/trades", VenueBReads::trades)
        .get("/venue-b/orderbooks", VenueBReads::books);
  }

  private static Market market(Ask ask, String ticker) {
    return ask.universe()
        .byTicker(ticker)
        .orElseThrow(() -> VendorRefusal.notFound("Market", ticker));
  }

  private static double yes(Market market, long second) {
    return Prices.of(market, Venue.B, true, second);
  }

  private static Row markets(Ask ask) {
    String status = ask.optionalChoice("status", "open", "closed", "settled");
    List<Row> rows =
        ask.universe().markets(Venue.B).stream()
            .filter(m -> status == null || status.equals("open") != m.closed(ask.now()))
            .filter(m -> MarketReads.matches(ask.text("search", ""), m.title()))
            .filter(m -> ask.admits("ticker", m.ticker()))
            .filter(m -> ask.admits("event_ticker", m.event().ticker()))
            .filter(m -> ask.admits("series_ticker", m.event().series()))
            .filter(m -> ask.admits("category", m.event().category()))
            .map(market -> row(market, ask.now()))
            .filter(row -> ask.within("price", 100 * row.number("last_price")))
            .filter(row -> ask.within("volume", row.number("dollar_volume")))
            .filter(row -> ask.within("open_interest", row.number("dollar_open_interest")))
            .sorted(order(ask).thenComparing(row -> row.text("ticker")))
            .toList();
    return Page.byKey(ask, new Row(), "markets", rows, 20, 100);
  }

  private static Comparator<Row> order(Ask ask) {
    return switch (ask.choice(
        "sort", "volume", "open_interest", "price_desc", "price_asc", "close_time")) {
      case "open_interest" -> falling("dollar_open_interest");
      case "price_desc" -> falling("last_price");
      case "price_asc" -> falling("last_price").reversed();
      case "close_time" -> Comparator.comparing(row -> row.text("close_time"));
      default -> falling("dollar_volume");
    };
  }

  private static Comparator<Row> falling(String name) {
    return Comparator.comparingDouble((Row row) -> row.number(name)).reversed();
  }

  private static Row row(Market market, Instant now) {
    Event event = market.event();
    boolean closed = market.closed(now);
    double volume = Math.rint(SearchReads.share(market, Venue.B) * Volumes.total(market, now));
    double interest = Math.rint(0.4 * Volumes.openInterest(market, now.getEpochSecond()));
    double price = yes(market, now.getEpochSecond());
    String end = Numbers.iso(market.end());
    return Row.of("ticker", market.ticker(), "event_ticker", event.ticker())
        .with("market_id", market.ticker().toLowerCase(Locale.ROOT))
        .with("title", market.title())
        .with("yes_subtitle", market.label())
        .with("no_subtitle", "Not " + market.label())
        .with("status", market.status(now))
        .with("result", closed ? market.winner().toLowerCase(Locale.ROOT) : null)
        .with("open_time", Numbers.iso(market.created()))
        .with("close_time", end)
        .with("expected_expiration_time", end)
        .with("settlement_time", closed ? end : null)
        .with("determination_time", closed ? end : null)
        .with("can_close_early", true)
        .with("strike_type", "custom")
        .with("custom_strike", null)
        .with("outcomes", outcomes(market, now))
        .with("last_price", price)
        .with("volume", (long) (volume / Math.max(0.05, market.chance())))
        .with("open_interest", (long) (interest / Math.max(0.05, market.chance())))
        .with("dollar_volume", (long) volume)
        .with("dollar_open_interest", (long) interest)
        .with("event", heading(event))
        .with("created_at", Numbers.iso(market.created()))
        .with("updated_at", Numbers.iso(now.getEpochSecond() / Prices.BUCKET * Prices.BUCKET));
  }

  private static Row heading(Event event) {
    return Row.of("event_ticker", event.ticker(), "series_ticker", event.series())
        .with("title", event.title())
        .with("subtitle", event.category());
  }

  private static List<Row> outcomes(Market market, Instant now) {
    List<Row> outcomes = new ArrayList<>();
    for (boolean yes : new boolean[] {true, false}) {
      Row row = Row.of("label", market.side(yes).label());
      boolean closed = market.closed(now);
      Book book = Book.of(market, Venue.B, yes, now.getEpochSecond());
      outcomes.add(
          row.with("bid", closed ? null : book.bid())
              .with("ask", closed ? null : book.ask())
              .with("predexon_id", market.side(yes).outcomeId()));
    }
    return outcomes;
  }

  private static Row events(Ask ask) {
    List<Row> rows =
        ask.universe().events(Venue.B).stream()
            .filter(event -> ask.admits("series_ticker", event.series()))
            .filter(event -> ask.admits("status", event.status(ask.now())))
            .map(
                event ->
                    heading(event)
                        .with("status", event.status(ask.now()))
                        .with("close_time", Numbers.iso(event.end()))
                        .with("market_tickers", tickers(ask, event)))
            .toList();
    return Page.byKey(ask, new Row(), "events", rows, 20, 100);
  }

  private static List<String> tickers(Ask ask, Event event) {
    return ask.universe().of(event).stream().map(Market::ticker).toList();
  }

  private static Row trades(Ask ask) {
    String ticker = ask.text("ticker");
    String event = ask.text("event_ticker");
    if (ticker == null && event == null) {
      throw VendorRefusal.badRequest("Missing filter", "ticker or event_ticker is required");
    }
    Span span = ask.span(USUAL).until(ask.now());
    Comparator<Row> rising = Comparator.comparingDouble(row -> row.number("created_time"));
    List<Row> rows =
        ask.universe().markets(Venue.B).stream()
            .filter(market -> ask.admits("ticker", market.ticker()))
            .filter(market -> event == null || market.ticker().startsWith(event))
            .flatMap(market -> trades(market, span).stream())
            .filter(row -> ask.admits("taker_side", row.text("taker_side")))
            .filter(row -> row.number("count") >= ask.number("min_count", 0))
            .sorted(
                (ask.descending() ? rising.reversed() : rising)
                    .thenComparing(r -> r.text("trade_id")))
            .toList();
    return Page.byKey(ask, new Row(), "trades", rows, 100, 500);
  }

  private static List<Row> trades(Market market, Span span) {
    return IntStream.range(0, span.marks(PACE, MOST_TRADES))
        .mapToLong(i -> span.mark(PACE, i))
        .filter(time -> time > market.created().getEpochSecond())
        .filter(time -> time < market.end().getEpochSecond())
        .mapToObj(time -> trade(market, time))
        .toList();
  }

  private static Row trade(Market market, long time) {
    double yes = yes(market, time);
    return Row.of("trade_id", Chance.hex("trade " + market.ticker() + time, 24).substring(2))
        .with("ticker", market.ticker())
        .with("count", 1 + Chance.below(market.key(), time, 240))
        .with("yes_price", yes)
        .with("no_price", Numbers.rounded(1 - yes, 3))
        .with("taker_side", Chance.unit(market.key(), time + 1) < 0.5 ? "yes" : "no")
        .with("created_time", time);
  }

  private static Row books(Ask ask) {
    String ticker = ask.required("ticker");
    Span window = BookReads.window(ask);
    Market market = market(ask, ticker);
    return BookReads.page(ask, market, window, time -> book(Book.of(market, Venue.B, true, time)));
  }

  private static Row book(Book book) {
    return Row.of("ticker", book.market().ticker(), "timestamp", book.second() * 1_000)
        .with("yes_bids", book.bids(true))
        .with("yes_asks", book.asks(true))
        .with("best_bid", book.bidCents())
        .with("best_ask", book.askCents())
        .with("bid_depth", (long) book.bidDepth())
        .with("ask_depth", (long) book.askDepth())
        .with("sequence", 1);
  }
}
