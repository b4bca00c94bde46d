package dev.octroi.sandbox.cryptodata;

import dev.octroi.sandbox.vendor.Drift;
import dev.octroi.sandbox.vendor.Figures;
import dev.octroi.sandbox.vendor.Seeded;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;

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

  private Fields candles(Ask ask) {
    Pair pair = Pair.of(ask);
    String interval = ask.text("interval");
    long step = Spans.seconds(interval);
    List<Fields> candles =
        Series.last(ask, ask.whole("limit"), world.now(), step, at -> candle(pair, at, step));
    boolean none = candles.isEmpty();
    return Answers.plain(
        List.of(
            Fields.of("candles", candles)
                .and("count", candles.size())
                .and("exchange", pair.exchange())
                .and("interval", interval)
                .and("pair", pair.text())
                .and("period_end", none ? null : start(candles.get(candles.size() - 1)))
                .and("period_high", none ? null : extreme(candles, "high", 1))
                .and("period_low", none ? null : extreme(candles, "low", -1))
                .and("period_start", none ? null : start(candles.get(0)))
                .and("period_volume", none ? null : sum(candles))));
  }

  private Fields candle(Pair pair, long at, long step) {
    long end = Math.min(at + step, Math.max(at, world.now()));
    double daily = Prices.volume24hUsd(pair.base(), at) / Prices.usd(pair.base(), at) * 0.05;
    double part = (double) Math.max(1, end - at) / Spans.DAY;
    Seeded seeded = Seeded.of("volume", pair.exchange(), pair.text(), step, at);
    return Fields.of("close", Prices.significant(pair.price(end)))
        .and("high", Prices.significant(pair.extreme(at, end, 1)))
        .and("low", Prices.significant(pair.extreme(at, end, -1)))
        .and("open", Prices.significant(pair.price(at)))
        .and("timestamp", at)
        .and("volume", Figures.round(daily * part * seeded.uniform(0.6, 1.5), 6));
  }

  private static String start(Fields candle) {
    return Instant.ofEpochSecond((long) candle.number("timestamp")).toString();
  }

  private static double extreme(List<Fields> candles, String field, int sign) {
    return sign
        * candles.stream().mapToDouble(candle -> sign * candle.number(field)).max().orElse(0);
  }

  private static double sum(List<Fields> candles) {
    double volume = candles.stream().mapToDouble(candle -> candle.number("volume")).sum();
    return Figures.round(volume, 6);
  }

  private Fields funding(Ask ask) {
    Pair pair = Pair.of(ask);
    return Answers.plain(
        newestFirst(
            Series.last(
                ask, ask.whole("limit"), world.now(), FUNDING_EVERY, at -> fundingAt(pair, at))));
  }

  private static Fields fundingAt(Pair pair, long at) {
    double rate = ExchangeQuotes.fundingRate(pair, at);
    return Fields.of("exchange", pair.exchange())
        .and("funding_interval_hours", 8)
        .and("funding_rate", rate)
        .and("funding_rate_1h", Figures.round(rate / 8, 8))
        .and("funding_rate_8h", rate)
        .and("funding_rate_annualized", Figures.round(rate * 3 * 365, 6))
        .and("funding_rate_raw", rate)
        .and("pair", pair.text())
        .and("timestamp", at);
  }

  private Fields longShort(Ask ask) {
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
                    Fields.of("exchange", pair.exchange())
                        .and("long_short_ratio", Figures.round(drift.level(1.2, 0.8, at), 4))
                        .and("pair", pair.text())
                        .and("timestamp", at))));
  }

  private static <T> List<T> newestFirst(List<T> points) {
    Collections.reverse(points);
    return points;
  }
}
