package dev.octroi.reference.sandbox.cryptodata;

import dev.octroi.reference.sandbox.Drift;
import dev.octroi.reference.sandbox.Figures;
import dev.octroi.reference.sandbox.Seeded;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What an exchange keeps: candles, funding rates and the balance of long and short. */
record ExchangeHistory(World world) implements Family {

  private static final long FUNDING_EVERY = 8 * Spans.HOUR;

  @Override
  public Map<String, Reading> readings() {
    return Map.of(
        "GET /exchange/klines", this::candles,
        "GET /exchange/funding-history", this::funding,
        "GET /exchange/long-short-ratio", this::longShort);
  }

  private Map<String, @Nullable Object> candles(Ask ask) {
    Pair pair = Pair.of(ask);
    String interval = ask.text("interval");
    long step = Spans.seconds(interval);
    List<Map<String, @Nullable Object>> candles =
        Series.last(ask, ask.whole("limit"), world.now(), step, at -> candle(pair, at, step));
    boolean none = candles.isEmpty();
    return Answers.plain(
        List.of(
            Fields.of(
                "candles",
                candles,
                "count",
                candles.size(),
                "exchange",
                pair.exchange(),
                "interval",
                interval,
                "pair",
                pair.text(),
                "period_end",
                none ? null : start(candles.get(candles.size() - 1)),
                "period_high",
                none ? null : extreme(candles, "high", 1),
                "period_low",
                none ? null : extreme(candles, "low", -1),
                "period_start",
                none ? null : start(candles.get(0)),
                "period_volume",
                none ? null : sum(candles))));
  }

  private Map<String, @Nullable Object> candle(Pair pair, long at, long step) {
    long end = Math.min(at + step, Math.max(at, world.now()));
    double daily = Prices.volume24hUsd(pair.base(), at) / Prices.usd(pair.base(), at) * 0.05;
    double part = (double) Math.max(1, end - at) / Spans.DAY;
    Seeded seeded = Seeded.of("volume", pair.exchange(), pair.text(), step, at);
    return Fields.of(
        "close", Prices.significant(pair.price(end)),
        "high", Prices.significant(pair.extreme(at, end, 1)),
        "low", Prices.significant(pair.extreme(at, end, -1)),
        "open", Prices.significant(pair.price(at)),
        "timestamp", at,
        "volume", Figures.round(daily * part * seeded.uniform(0.6, 1.5), 6));
  }

  private static String start(Map<String, @Nullable Object> candle) {
    return Instant.ofEpochSecond((long) Fields.number(candle, "timestamp")).toString();
  }

  private static double extreme(
      List<Map<String, @Nullable Object>> candles, String field, int sign) {
    return sign
        * candles.stream()
            .mapToDouble(candle -> sign * Fields.number(candle, field))
            .max()
            .orElse(0);
  }

  private static double sum(List<Map<String, @Nullable Object>> candles) {
    double volume = candles.stream().mapToDouble(candle -> Fields.number(candle, "volume")).sum();
    return Figures.round(volume, 6);
  }

  private Map<String, @Nullable Object> funding(Ask ask) {
    Pair pair = Pair.of(ask);
    return Answers.plain(
        newestFirst(
            Series.last(
                ask, ask.whole("limit"), world.now(), FUNDING_EVERY, at -> fundingAt(pair, at))));
  }

  private static Map<String, @Nullable Object> fundingAt(Pair pair, long at) {
    double rate = ExchangeQuotes.fundingRate(pair, at);
    return Fields.of(
        "exchange",
        pair.exchange(),
        "funding_interval_hours",
        8,
        "funding_rate",
        rate,
        "funding_rate_1h",
        Figures.round(rate / 8, 8),
        "funding_rate_8h",
        rate,
        "funding_rate_annualized",
        Figures.round(rate * 3 * 365, 6),
        "funding_rate_raw",
        rate,
        "pair",
        pair.text(),
        "timestamp",
        at);
  }

  private Map<String, @Nullable Object> longShort(Ask ask) {
    Pair pair = Pair.of(ask);
    Drift drift = new Drift("ratio:" + pair.exchange() + pair.base().symbol());
    return Answers.plain(
        newestFirst(
            Series.last(
                ask,
                ask.whole("limit"),
                world.now(),
                Spans.seconds(ask.text("interval")),
                at ->
                    Fields.of(
                        "exchange", pair.exchange(),
                        "long_short_ratio", Figures.round(drift.level(1.2, 0.8, at), 4),
                        "pair", pair.text(),
                        "timestamp", at))));
  }

  private static <T> List<T> newestFirst(List<T> points) {
    Collections.reverse(points);
    return points;
  }
}
