package dev.octroi.sandbox.prediction;

import java.util.function.LongFunction;

/** Order books of venue A, and the paging of book snapshots that all venues share. */
final class BookReads {

  /** A snapshot is taken so often, in seconds. */
  private static final long STEP = 60;

  private static final int MOST = 20_000;

  private BookReads() {}

  static void addTo(Routes routes) {
    routes
        .get("/venue-a/orderbooks", BookReads::snapshots)
        .get("/venue-a/orderbook/:id", BookReads::now);
  }

  private static Row snapshots(Ask ask) {
    String token = ask.required("token_id");
    Span window = window(ask);
    Market market =
        ask.universe().byToken(token).orElseThrow(() -> VendorRefusal.notFound("Token", token));
    boolean yes = market.yes().tokenId().equals(token);
    return page(ask, market, window, time -> row(market, Book.of(market, Venue.A, yes, time)));
  }

  /** The window of milliseconds that the call must name. */
  static Span window(Ask ask) {
    ask.required("start_time");
    ask.required("end_time");
    long start = ask.integer("start_time", 0, 0, Long.MAX_VALUE) / 1_000;
    long end = ask.integer("end_time", 0, 0, Long.MAX_VALUE) / 1_000;
    return Span.of(start, end);
  }

  /** The snapshots of a market in a window. */
  static Row page(Ask ask, Market market, Span asked, LongFunction<Row> snapshot) {
    if (asked.start() >= market.end().getEpochSecond()) {
      throw VendorRefusal.marketClosed(market.slug());
    }
    long first = Math.max(asked.start(), market.created().getEpochSecond());
    long last =
        Math.min(
            asked.end(), Math.min(market.end().getEpochSecond() - 1, ask.now().getEpochSecond()));
    int count = first > last ? 0 : new Span(first, last).marks(STEP, MOST);
    return Page.byKey(
        ask,
        new Row(),
        "snapshots",
        count,
        i -> snapshot.apply(new Span(first, last).mark(STEP, i)),
        100,
        200);
  }

  private static Row now(Ask ask) {
    Market market = ask.live(ask.id("id"));
    boolean yes = !market.no().tokenId().equals(ask.id("id"));
    return row(market, Book.of(market, Venue.A, yes, ask.now().getEpochSecond()));
  }

  private static Row row(Market market, Book book) {
    long millis = book.second() * 1_000;
    String token = market.side(book.yesSide()).tokenId();
    return Row.of("asks", book.asks(false), "bids", book.bids(false))
        .with("hash", Chance.hex("book " + token + book.second(), 64))
        .with("assetId", token)
        .with("timestamp", millis)
        .with("tickSize", "0.01")
        .with("indexedAt", millis + 350)
        .with("market", market.conditionId());
  }
}
