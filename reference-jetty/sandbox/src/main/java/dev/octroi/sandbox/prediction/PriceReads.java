package dev.octroi.sandbox.prediction;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Prices of venue A at a time and over time. */
final class PriceReads {

  private static final int MOST_CANDLES = 1_500;
  private static final int SAMPLES = 6;

  private PriceReads() {}

  static void addTo(Routes routes) {
    routes
        .get("/venue-a/market-price/:token_id", PriceReads::atTime)
        .get(
            "/venue-a/candlesticks/:condition_id",
            ask -> candles(ask, "condition_id", ask.traded(ask.id("condition_id")), true))
        .get("/venue-a/candlesticks/token/:token_id", PriceReads::tokenCandles)
        .get("/venue-a/pricing/:id", PriceReads::quote)
        .get("/venue-a/pricing/history/:id", PriceReads::history);
  }

  private static Row atTime(Ask ask) {
    Market market = token(ask);
    long now = ask.now().getEpochSecond();
    long time = Math.min(now, ask.integer("at_time", now, 0, Long.MAX_VALUE));
    boolean yes = market.yes().tokenId().equals(ask.id("token_id"));
    return Row.of("price", Prices.of(market, Venue.A, yes, time), "at_time", time);
  }

  private static Market token(Ask ask) {
    Market market =
        ask.universe()
            .byToken(ask.id("token_id"))
            .orElseThrow(() -> VendorRefusal.notFound("Token", ask.id("token_id")));
    return ask.traded(market.conditionId());
  }

  private static Row tokenCandles(Ask ask) {
    Market market = token(ask);
    return candles(ask, "token_id", market, market.yes().tokenId().equals(ask.id("token_id")));
  }

  private static Row candles(Ask ask, String name, Market market, boolean yes) {
    long asked = Long.parseLong(ask.choice("interval", "1", "0", "5", "15", "60", "1440"));
    long minutes = asked == 0 ? 60 : asked;
    long step = minutes * 60;
    Span span = ask.span(Duration.ofSeconds(step * (minutes == 1 ? 1_440 : 168))).until(ask.now());
    List<Row> candles = new ArrayList<>();
    for (int i = 0; i < span.marks(step, MOST_CANDLES); i++) {
      long end = span.mark(step, i);
      if (end > market.created().getEpochSecond() && end - step < market.end().getEpochSecond()) {
        candles.add(candle(market, yes, end, step));
      }
    }
    return Row.of(name, ask.id(name), "candlesticks", candles);
  }

  private static Row candle(Market market, boolean yes, long end, long step) {
    double open = Prices.of(market, Venue.A, yes, end - step);
    double close = Prices.of(market, Venue.A, yes, end);
    double high = Math.max(open, close);
    double low = Math.min(open, close);
    double sum = open + close;
    for (int i = 1; i < SAMPLES; i++) {
      double price = Prices.of(market, Venue.A, yes, end - step + step * i / SAMPLES);
      high = Math.max(high, price);
      low = Math.min(low, price);
      sum += price;
    }
    double mean = Numbers.ratio(sum / (SAMPLES + 1));
    double volume = Numbers.usd(Volumes.between(market, end - step, end));
    Row price =
        Row.of("open", open, "high", high, "low", low, "close", close)
            .with("open_dollars", Numbers.dollars(open))
            .with("high_dollars", Numbers.dollars(high))
            .with("low_dollars", Numbers.dollars(low))
            .with("close_dollars", Numbers.dollars(close))
            .with("mean", mean)
            .with("mean_dollars", Numbers.dollars(mean))
            .with("previous", open)
            .with("previous_dollars", Numbers.dollars(open));
    return Row.of("end_period_ts", end, "price", price, "volume", volume)
        .with("trades_count", Volumes.trades(market, volume));
  }

  private static Row quote(Ask ask) {
    Market market = ask.live(ask.id("id"));
    Book yes = Book.of(market, Venue.A, true, ask.now().getEpochSecond());
    Book no = Book.of(market, Venue.A, false, ask.now().getEpochSecond());
    return Row.of("condition_id", market.conditionId(), "market_slug", market.slug())
        .with("yes", side(market, true, yes))
        .with("no", side(market, false, no))
        .with("timestamp", ask.now().getEpochSecond());
  }

  private static Row side(Market market, boolean yes, Book book) {
    return Row.of("token_id", market.side(yes).tokenId(), "price", book.price())
        .with("best_bid", book.bid())
        .with("best_ask", book.ask())
        .with("spread", Numbers.ratio(book.ask() - book.bid()));
  }

  private static Row history(Ask ask) {
    Market market = ask.traded(ask.id("id"));
    Span span = ask.span(Duration.ofDays(7)).until(ask.now());
    List<Row> points = new ArrayList<>();
    for (int i = 0; i < span.marks(3_600, MOST_CANDLES); i++) {
      long time = span.mark(3_600, i);
      if (time >= market.created().getEpochSecond()) {
        points.add(
            Row.of("timestamp", time)
                .with("yes_price", Prices.of(market, Venue.A, true, time))
                .with("no_price", Prices.of(market, Venue.A, false, time)));
      }
    }
    return Row.of("condition_id", market.conditionId(), "history", points);
  }
}
