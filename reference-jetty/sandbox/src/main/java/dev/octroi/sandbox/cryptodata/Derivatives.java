package dev.octroi.sandbox.cryptodata;

import dev.octroi.sandbox.vendor.Drift;
import dev.octroi.sandbox.vendor.Figures;
import dev.octroi.sandbox.vendor.Seeded;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;

/** Funds on the stock market, options and liquidations. */
record Derivatives(World world) implements Family {

  private static final List<String> EXCHANGES =
      CryptoDataVendor.CONTRACT.words("GET /market/liquidation/order", "exchange");

  private static final int ORDERS = 400;

  @Override
  public Map<String, Reading> readings() {
    return Map.of(
        "GET /market/etf", this::etf,
        "GET /market/options", this::options,
        "GET /market/liquidation/exchange-list", this::exchanges,
        "GET /market/liquidation/order", this::orders,
        "GET /market/liquidation/chart", this::chart);
  }

  private Fields etf(Ask ask) {
    Token token = Token.of(ask.text("symbol"));
    long now = world.now();
    List<Fields> days =
        Series.between(ask, now - 60 * Spans.DAY, now, Spans.DAY, day -> etfDay(token, day));
    return Answers.plain(Answers.sorted(days, ask.text("sort_by"), ask.text("order")));
  }

  private Fields etfDay(Token token, long day) {
    List<Fields> flows = new ArrayList<>();
    double sum = 0;
    for (String house : List.of("A", "B", "C", "D")) {
      Seeded seeded = Seeded.of("etf", token.symbol(), house, day);
      double scale = Prices.marketCap(token, day) * 0.00004;
      double flow = Figures.round(seeded.normal(0.2, 1) * scale, 2);
      flows.add(Fields.of("flow_usd", flow).and("ticker", token.symbol().charAt(0) + "ET" + house));
      sum += flow;
    }
    return Fields.of("etfs", flows)
        .and("flow_usd", Figures.round(sum, 2))
        .and("price_usd", Prices.usd(token, day))
        .and("project_id", token.id())
        .and("settled", day + Spans.DAY <= world.now())
        .and("symbol", token.symbol())
        .and("timestamp", day);
  }

  private Fields options(Ask ask) {
    Token token = Token.of(ask.text("symbol"));
    List<Fields> books =
        EXCHANGES.stream()
            .limit(4)
            .map(exchange -> optionBook(token, exchange.toLowerCase(Locale.ROOT)))
            .toList();
    return Answers.plain(Answers.sorted(books, ask.text("sort_by"), ask.text("order")));
  }

  private Fields optionBook(Token token, String exchange) {
    long now = world.now();
    Drift drift = new Drift("options:" + token.symbol() + exchange);
    double interest = drift.level(Prices.marketCap(token, now) * 0.004, 1.2, now);
    return Fields.of("exchange", exchange)
        .and("max_pain_price", Prices.significant(Math.round(Prices.usd(token, now) * 19) / 20.0))
        .and("open_interest", Figures.round(interest, 2))
        .and("project_id", token.id())
        .and("put_call_ratio", Figures.round(drift.level(0.7, 0.6, now + 7), 4))
        .and("symbol", token.symbol())
        .and("updated_at", now)
        .and("volume_24h", Figures.round(interest * 0.11, 2));
  }

  private Fields exchanges(Ask ask) {
    Token token = Token.of(ask.text("symbol"));
    long span = Spans.seconds(ask.text("time_range"));
    List<Fields> rows = new ArrayList<>();
    double longs = 0;
    double shorts = 0;
    for (String exchange : EXCHANGES) {
      double closedLong = liquidated(token, exchange, "long", world.now(), span);
      double closedShort = liquidated(token, exchange, "short", world.now(), span);
      longs += closedLong;
      shorts += closedShort;
      rows.add(liquidations(exchange, closedLong, closedShort));
    }
    rows.add(liquidations("All", Figures.round(longs, 2), Figures.round(shorts, 2)));
    return Answers.plain(Answers.sorted(rows, ask.text("sort_by"), ask.text("order")));
  }

  private static Fields liquidations(String exchange, double longs, double shorts) {
    return Fields.of("exchange", exchange)
        .and("liquidation_usd", Figures.round(longs + shorts, 2))
        .and("long_liquidation_usd", longs)
        .and("short_liquidation_usd", shorts);
  }

  private static double liquidated(
      Token token, String exchange, String side, long second, long span) {
    Drift drift = new Drift("liquidated:" + token.symbol() + exchange + side);
    double hourly = drift.level(Prices.marketCap(token, second) * 0.0000004, 2.5, second);
    return Figures.round(hourly * span / Spans.HOUR, 2);
  }

  private Fields chart(Ask ask) {
    Token token = Token.of(ask.text("symbol"));
    String exchange = ask.text("exchange");
    long step = Spans.seconds(ask.text("interval"));
    return Answers.plain(
        Series.last(
            ask,
            ask.whole("limit"),
            world.now(),
            step,
            at ->
                Fields.of("contributing_exchanges", List.of(exchange))
                    .and("excluded_exchanges", List.of())
                    .and("long_liquidation_usd", liquidated(token, exchange, "long", at, step))
                    .and("short_liquidation_usd", liquidated(token, exchange, "short", at, step))
                    .and("timestamp", at)));
  }

  private Fields orders(Ask ask) {
    Token token = Token.of(ask.text("symbol"));
    String exchange = ask.text("exchange");
    double least = amount(ask.text("min_amount"));
    long from = ask.time("from").orElse(0L);
    long to = ask.time("to").orElse(Long.MAX_VALUE);
    Timeline timeline = new Timeline("order:" + exchange + token.symbol(), 90, world.now());
    List<Fields> orders =
        IntStream.range(0, ORDERS)
            .mapToObj(index -> order(token, exchange, timeline, index))
            .filter(order -> order.number("usd_value") >= least)
            .filter(order -> ask.accepts("side", order.get("side")))
            .filter(order -> order.number("timestamp") >= from)
            .filter(order -> order.number("timestamp") <= to)
            .toList();
    return Answers.page(ask, Answers.sorted(orders, ask.text("sort_by"), ask.text("order")));
  }

  private static double amount(String text) {
    if (!text.matches("\\d{1,15}(\\.\\d{1,8})?")) {
      throw Refusal.invalid("Parameter min_amount is out of range or invalid");
    }
    return Double.parseDouble(text);
  }

  private static Fields order(Token token, String exchange, Timeline timeline, int index) {
    Seeded seeded = timeline.values(index);
    long time = timeline.time(index);
    return Fields.of("base_asset", token.symbol())
        .and("exchange", exchange.toLowerCase(Locale.ROOT))
        .and("order_id", seeded.hex(24))
        .and("price", Prices.usd(token, time))
        .and("side", seeded.chance(0.5) ? "long" : "short")
        .and("symbol", token.symbol() + "USDT")
        .and("timestamp", time)
        .and("usd_value", seeded.skewed(4_000, 900_000, 2));
  }
}
