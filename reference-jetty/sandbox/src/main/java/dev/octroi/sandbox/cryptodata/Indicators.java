package dev.octroi.sandbox.cryptodata;

import dev.octroi.sandbox.vendor.Drift;
import dev.octroi.sandbox.vendor.Figures;
import java.util.List;
import java.util.Map;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;

/** Figures worked out from prices and from the chain. */
record Indicators(World world) implements Family {

  private static final int POINTS = 100;

  /** Level and spread of each on-chain metric; flows are in coins. */
  private static final Map<String, double[]> METRICS =
      Map.of(
          "nupl", new double[] {0.5, 0.6},
          "sopr", new double[] {1.01, 0.05},
          "mvrv", new double[] {2.1, 0.6},
          "puell-multiple", new double[] {1.2, 0.7},
          "nvm", new double[] {1.6, 0.4},
          "nvt", new double[] {42, 0.5},
          "nvt-golden-cross", new double[] {0.9, 0.8});

  private static final double[] FLOW = {24_000, 0.9};

  @Override
  public Map<String, Reading> readings() {
    return Map.of(
        "GET /market/onchain-indicator", this::onchain,
        "GET /market/price-indicator", this::technical);
  }

  private Fields onchain(Ask ask) {
    Token token = Token.of(ask.text("symbol"));
    String exchange = ask.text("exchange");
    String metric = ask.text("metric");
    long now = world.now();
    List<Fields> days =
        Series.between(
            ask,
            now - 90 * Spans.DAY,
            now,
            Spans.DAY,
            day ->
                Fields.of("exchange", exchange)
                    .and("exchange_name", exchange.replace('_', ' '))
                    .and("metric", metric)
                    .and("project_id", token.id())
                    .and("symbol", token.symbol())
                    .and("timestamp", day)
                    .and("value", metric(token, metric, exchange, day)));
    return Answers.page(ask, days);
  }

  private static double metric(Token token, String metric, String exchange, long day) {
    if (metric.endsWith("/netflow")) {
      String flows = metric.substring(0, metric.indexOf('/'));
      return Figures.round(
          metric(token, flows + "/inflow", exchange, day)
              - metric(token, flows + "/outflow", exchange, day),
          4);
    }
    double[] shape = METRICS.getOrDefault(metric, FLOW);
    Drift drift = new Drift(metric + token.symbol() + (metric.contains("/") ? exchange : ""));
    return Figures.round(drift.level(shape[0], shape[1], day), 4);
  }

  private Fields technical(Ask ask) {
    Token token = Token.of(ask.text("symbol"));
    String interval = ask.text("interval");
    long step = Spans.seconds(interval);
    long now = world.now();
    List<Fields> points =
        Series.between(
            ask,
            now - POINTS * step,
            now,
            step,
            at -> point(token, ask.text("indicator"), interval, at, new Closes(token, at, step)));
    return Answers.page(ask, points);
  }

  /** Closing prices before a time; index 0 is the newest. */
  private record Closes(Token token, long at, long step) implements IntToDoubleFunction {

    @Override
    public double applyAsDouble(int back) {
      return Prices.raw(token, at - back * step);
    }

    double mean(int count) {
      return IntStream.range(0, count).mapToDouble(this).average().orElse(0);
    }

    double deviation(int count) {
      double mean = mean(count);
      return Math.sqrt(
          IntStream.range(0, count)
              .mapToDouble(back -> Math.pow(applyAsDouble(back) - mean, 2))
              .average()
              .orElse(0));
    }

    double high(int count) {
      return IntStream.range(0, count).mapToDouble(this).max().orElse(0);
    }

    double low(int count) {
      return IntStream.range(0, count).mapToDouble(this).min().orElse(0);
    }

    double middle(int count) {
      return (high(count) + low(count)) / 2;
    }

    /** 0 to 100: how much of the movement was upwards. */
    double strength(int count) {
      double up = 0;
      double down = 0;
      for (int back = 0; back < count; back++) {
        double change = applyAsDouble(back) - applyAsDouble(back + 1);
        up += Math.max(0, change);
        down += Math.max(0, -change);
      }
      return up + down == 0 ? 50 : 100 * up / (up + down);
    }
  }

  private Fields point(Token token, String indicator, String interval, long at, Closes closes) {
    Fields values = values(closes);
    return Fields.of("interval", interval)
        .and("name", indicator)
        .and("project_id", token.id())
        .and("symbol", token.symbol())
        .and("timestamp", at)
        .and("updated_at", world.now())
        .and("value", value(indicator, closes, values))
        .and("values", values);
  }

  private static double value(String indicator, Closes closes, Fields values) {
    return switch (indicator) {
      case "rsi" -> Figures.round(closes.strength(14), 4);
      case "macd" -> values.number("macd_value");
      case "bbands" -> values.number("bbands_middle");
      case "stoch" -> values.number("stoch_k");
      case "adx", "dmi" -> values.number("dmi_adx");
      case "ichimoku" -> values.number("ichimoku_base");
      case "supertrend" -> values.number("supertrend_value");
      case "atr" -> Prices.significant((closes.high(14) - closes.low(14)) / 14);
      case "cci" ->
          Figures.round(
              (closes.applyAsDouble(0) - closes.mean(20)) / (0.015 * closes.deviation(20)), 4);
      case "obv" -> Figures.round(closes.strength(50) * 1_000, 2);
      default -> Prices.significant(closes.mean(20));
    };
  }

  private static Fields values(Closes closes) {
    double middle = closes.mean(20);
    double band = 2 * closes.deviation(20);
    double macd = closes.mean(12) - closes.mean(26);
    double signal = macd * 0.8;
    double stochastic =
        100 * (closes.applyAsDouble(0) - closes.low(14)) / (closes.high(14) - closes.low(14));
    double plus = closes.strength(14);
    double base = closes.middle(26);
    double conversion = closes.middle(9);
    boolean rising = closes.applyAsDouble(0) > closes.mean(10);
    Fields values =
        Fields.of("bbands_lower", Prices.significant(middle - band))
            .and("bbands_middle", Prices.significant(middle))
            .and("bbands_upper", Prices.significant(middle + band))
            .and("dmi_adx", Figures.round(Math.abs(2 * plus - 100), 4))
            .and("dmi_mdi", Figures.round(100 - plus, 4))
            .and("dmi_pdi", Figures.round(plus, 4));
    values.putAll(cloud(base, conversion, closes));
    values.putAll(
        Fields.of("macd_hist", Prices.significant(macd - signal))
            .and("macd_signal", Prices.significant(signal))
            .and("macd_value", Prices.significant(macd))
            .and("stoch_d", Figures.round(closes.strength(20), 4))
            .and("stoch_k", Figures.round(stochastic, 4))
            .and("supertrend_advice", rising ? "long" : "short")
            .and(
                "supertrend_value", Prices.significant(rising ? closes.low(10) : closes.high(10))));
    return values;
  }

  private static Fields cloud(double base, double conversion, Closes closes) {
    double spanA = Prices.significant((base + conversion) / 2);
    double spanB = Prices.significant(closes.middle(52));
    return Fields.of("ichimoku_base", Prices.significant(base))
        .and("ichimoku_conversion", Prices.significant(conversion))
        .and("ichimoku_current_span_a", spanA)
        .and("ichimoku_current_span_b", spanB)
        .and("ichimoku_lagging_span_a", spanA)
        .and("ichimoku_lagging_span_b", spanB)
        .and("ichimoku_span_a", spanA)
        .and("ichimoku_span_b", spanB);
  }
}
