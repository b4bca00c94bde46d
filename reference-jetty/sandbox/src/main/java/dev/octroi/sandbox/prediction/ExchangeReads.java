package dev.octroi.sandbox.prediction;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Candles, ticks and positioning of the exchange. */
final class ExchangeReads {

  private static final Map<String, Long> INTERVALS =
      Map.of(
          "1s", 1L, "1m", 60L, "5m", 300L, "15m", 900L, "1h", 3_600L, "4h", 14_400L, "1d", 86_400L);

  private static final int SAMPLES = 6;
  private static final int MOST_TICKS = 1_000_000;

  private ExchangeReads() {}

  static void addTo(Routes routes) {
    routes
        .get("/exchange-a/candles/:symbol", ExchangeReads::candles)
        .get("/exchange-a/ticks/:symbol", ExchangeReads::ticks)
        .get("/exchange-a/long-short", ExchangeReads::longShort)
        .get("/exchange-a/open-interest", ExchangeReads::openInterest);
  }

  private static Exchange symbol(Ask ask) {
    String symbol = ask.id("symbol").toUpperCase(Locale.ROOT);
    for (Exchange pair : Exchange.values()) {
      if (pair.name().equals(symbol)) {
        return pair;
      }
    }
    String message = "Input should be 'BTCUSDT', 'ETHUSDT', 'SOLUSDT' or 'XRPUSDT'";
    throw VendorRefusal.invalid("path", "symbol", message, "enum");
  }

  private static Row candles(Ask ask) {
    Exchange pair = symbol(ask);
    String interval = ask.choice("interval", "1m", "1s", "5m", "15m", "1h", "4h", "1d");
    long step = INTERVALS.getOrDefault(interval, 60L);
    int limit = ask.limit(500, 1_500);
    Span span = ask.span(Duration.ofSeconds(step * limit)).until(ask.now());
    List<Row> candles = new ArrayList<>();
    for (int i = 0; i < span.marks(step, limit); i++) {
      long start = span.mark(step, i);
      if (start + step <= ask.now().getEpochSecond()) {
        candles.add(candle(pair, start, step));
      }
    }
    return Row.of("symbol", pair.name(), "interval", interval, "candles", candles);
  }

  private static Row candle(Exchange pair, long start, long step) {
    double open = pair.price(start);
    double close = pair.price(start + step);
    double high = Math.max(open, close);
    double low = Math.min(open, close);
    for (int i = 1; i < SAMPLES; i++) {
      double price = pair.price(start + step * i / SAMPLES);
      high = Math.max(high, price);
      low = Math.min(low, price);
    }
    return Row.of("timestamp", start, "open", open, "high", high, "low", low, "close", close)
        .with("tick_count", step * (40 + Chance.below(Chance.key(pair.name()), start, 30)))
        .with("avg_spread", pair.spread(start));
  }

  private static Row ticks(Ask ask) {
    Exchange pair = symbol(ask);
    Span span = ask.requiredSpan().until(ask.now());
    Row before = Row.of("symbol", pair.name());
    int count = span.marks(1, MOST_TICKS);
    return Page.byKey(
        ask, before, "ticks", count, i -> tick(pair, span.mark(1, i)), 10_000, 10_000);
  }

  private static Row tick(Exchange pair, long second) {
    long key = Chance.key(pair.name());
    double spread = pair.spread(second);
    double middle = pair.price(second);
    double bid = Numbers.rounded(middle - spread / 2, pair.places());
    return Row.of("timestamp", Instant.ofEpochSecond(second).plusNanos(417_305_000).toString())
        .with("bid_price", bid)
        .with("ask_price", Numbers.rounded(bid + spread, pair.places()))
        .with("mid_price", Numbers.rounded(bid + spread / 2, pair.places() + 1))
        .with("spread", spread)
        .with("bid_qty", Numbers.ratio(Chance.between(key, 2 * second, 0.1, 9)))
        .with("ask_qty", Numbers.ratio(Chance.between(key, 2 * second + 1, 0.1, 9)));
  }

  private static List<Exchange> symbols(Ask ask) {
    return List.of(Exchange.values()).stream()
        .filter(pair -> ask.admits("symbol", pair.name()))
        .toList();
  }

  private static Row longShort(Ask ask) {
    long hour = ask.now().getEpochSecond() / 3_600;
    List<Row> rows =
        symbols(ask).stream()
            .map(
                pair -> {
                  double longs = Chance.between(Chance.key(pair.name()), hour, 0.42, 0.66);
                  double part = Numbers.ratio(longs);
                  return Row.of("symbol", pair.name(), "long_account", part)
                      .with("short_account", Numbers.ratio(1 - part))
                      .with("long_short_ratio", Numbers.quotient(part, 1 - part))
                      .with("timestamp", hour * 3_600);
                })
            .toList();
    return Row.of("ratios", rows);
  }

  private static Row openInterest(Ask ask) {
    long hour = ask.now().getEpochSecond() / 3_600;
    List<Row> rows =
        symbols(ask).stream()
            .map(
                pair -> {
                  double price = pair.price(hour * 3_600);
                  double held =
                      Chance.between(Chance.key(pair.name()), hour / 24, 2e9, 9e9) / price;
                  return Row.of("symbol", pair.name(), "open_interest", Numbers.usd(held))
                      .with("open_interest_usd", Numbers.usd(Numbers.usd(held) * price))
                      .with("price", price)
                      .with("timestamp", hour * 3_600);
                })
            .toList();
    return Row.of("open_interest", rows);
  }
}
