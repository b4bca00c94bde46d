package dev.octroi.reference.sandbox.cryptodata;

import dev.octroi.reference.sandbox.Drift;
import dev.octroi.reference.sandbox.Figures;
import dev.octroi.reference.sandbox.Seeded;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Funds on the stock market, options and liquidations. */
record Derivatives(World world) implements Family {

  private static final List<String> EXCHANGES =
      Contract.STATED.allowed("GET /market/liquidation/order", "exchange");

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

  private Map<String, @Nullable Object> etf(Ask ask) {
    Token token = Token.of(ask.text("symbol"));
    long now = world.now();
    List<Map<String, @Nullable Object>> days =
        Series.between(ask, now - 60 * Spans.DAY, now, Spans.DAY, day -> etfDay(token, day));
    return Answers.plain(Answers.sorted(days, ask.text("sort_by"), ask.text("order")));
  }

  private Map<String, @Nullable Object> etfDay(Token token, long day) {
    List<Map<String, @Nullable Object>> flows = new ArrayList<>();
    double sum = 0;
    for (String house : List.of("A", "B", "C", "D")) {
      Seeded seeded = Seeded.of("etf", token.symbol(), house, day);
      double scale = Prices.marketCap(token, day) * 0.00004;
      double flow = Figures.round(seeded.normal(0.2, 1) * scale, 2);
      flows.add(Fields.of("flow_usd", flow, "ticker", token.symbol().charAt(0) + "ET" + house));
      sum += flow;
    }
    return Fields.of(
        "etfs", flows,
        "flow_usd", Figures.round(sum, 2),
        "price_usd", Prices.usd(token, day),
        "project_id", token.id(),
        "settled", day + Spans.DAY <= world.now(),
        "symbol", token.symbol(),
        "timestamp", day);
  }

  private Map<String, @Nullable Object> options(Ask ask) {
    Token token = Token.of(ask.text("symbol"));
    List<Map<String, @Nullable Object>> books =
        EXCHANGES.stream()
            .limit(4)
            .map(exchange -> optionBook(token, exchange.toLowerCase(Locale.ROOT)))
            .toList();
    return Answers.plain(Answers.sorted(books, ask.text("sort_by"), ask.text("order")));
  }

  private Map<String, @Nullable Object> optionBook(Token token, String exchange) {
    long now = world.now();
    Drift drift = new Drift("options:" + token.symbol() + exchange);
    double interest = drift.level(Prices.marketCap(token, now) * 0.004, 1.2, now);
    return Fields.of(
        "exchange", exchange,
        "max_pain_price", Prices.significant(Math.round(Prices.usd(token, now) * 19) / 20.0),
        "open_interest", Figures.round(interest, 2),
        "project_id", token.id(),
        "put_call_ratio", Figures.round(drift.level(0.7, 0.6, now + 7), 4),
        "symbol", token.symbol(),
        "updated_at", now,
        "volume_24h", Figures.round(interest * 0.11, 2));
  }

  private Map<String, @Nullable Object> exchanges(Ask ask) {
    Token token = Token.of(ask.text("symbol"));
    long span = Spans.seconds(ask.text("time_range"));
    List<Map<String, @Nullable Object>> rows = new ArrayList<>();
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

  private static Map<String, @Nullable Object> liquidations(
      String exchange, double longs, double shorts) {
    return Fields.of(
        "exchange", exchange,
        "liquidation_usd", Figures.round(longs + shorts, 2),
        "long_liquidation_usd", longs,
        "short_liquidation_usd", shorts);
  }

  private static double liquidated(
      Token token, String exchange, String side, long second, long span) {
    Drift drift = new Drift("liquidated:" + token.symbol() + exchange + side);
    double hourly = drift.level(Prices.marketCap(token, second) * 0.0000004, 2.5, second);
    return Figures.round(hourly * span / Spans.HOUR, 2);
  }

  private Map<String, @Nullable Object> chart(Ask ask) {
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
                Fields.of(
                    "contributing_exchanges", List.of(exchange),
                    "excluded_exchanges", List.of(),
                    "long_liquidation_usd", liquidated(token, exchange, "long", at, step),
                    "short_liquidation_usd", liquidated(token, exchange, "short", at, step),
                    "timestamp", at)));
  }

  private Map<String, @Nullable Object> orders(Ask ask) {
    Token token = Token.of(ask.text("symbol"));
    String exchange = ask.text("exchange");
    double least = amount(ask.text("min_amount"));
    long from = ask.time("from").orElse(0L);
    long to = ask.time("to").orElse(Long.MAX_VALUE);
    Timeline timeline = new Timeline("order:" + exchange + token.symbol(), 90, world.now());
    List<Map<String, @Nullable Object>> orders =
        IntStream.range(0, ORDERS)
            .mapToObj(index -> order(token, exchange, timeline, index))
            .filter(order -> Fields.number(order, "usd_value") >= least)
            .filter(order -> ask.accepts("side", order.get("side")))
            .filter(order -> Fields.number(order, "timestamp") >= from)
            .filter(order -> Fields.number(order, "timestamp") <= to)
            .toList();
    return Answers.page(ask, Answers.sorted(orders, ask.text("sort_by"), ask.text("order")));
  }

  private static double amount(String text) {
    if (!text.matches("\\d{1,15}(\\.\\d{1,8})?")) {
      throw Refusal.invalid("Parameter min_amount is out of range or invalid");
    }
    return Double.parseDouble(text);
  }

  private static Map<String, @Nullable Object> order(
      Token token, String exchange, Timeline timeline, int index) {
    Seeded seeded = timeline.values(index);
    long time = timeline.time(index);
    return Fields.of(
        "base_asset", token.symbol(),
        "exchange", exchange.toLowerCase(Locale.ROOT),
        "order_id", seeded.hex(24),
        "price", Prices.usd(token, time),
        "side", seeded.chance(0.5) ? "long" : "short",
        "symbol", token.symbol() + "USDT",
        "timestamp", time,
        "usd_value", seeded.skewed(4_000, 900_000, 2));
  }
}
