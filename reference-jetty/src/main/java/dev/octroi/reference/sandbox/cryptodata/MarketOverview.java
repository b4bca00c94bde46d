package dev.octroi.reference.sandbox.cryptodata;

import dev.octroi.reference.sandbox.Drift;
import dev.octroi.reference.sandbox.Figures;
import dev.octroi.reference.sandbox.Seeded;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The market as a whole: ranking, mood, futures and the price of one coin over time. */
record MarketOverview(World world) implements Family {

  private static final Map<String, String> RANKED_BY =
      Map.of(
          "market_cap", "market_cap_usd",
          "change_24h", "change_24h_pct",
          "volume_24h", "volume_24h_usd");

  private static final int PRICE_POINTS = 180;

  @Override
  public Map<String, Reading> readings() {
    return Map.of(
        "GET /market/ranking", this::ranking,
        "GET /market/fear-greed", this::fearAndGreed,
        "GET /market/futures", this::futures,
        "GET /market/price", this::price);
  }

  private Map<String, @Nullable Object> ranking(Ask ask) {
    List<Map<String, @Nullable Object>> byCap =
        Answers.sorted(Token.ALL.stream().map(this::coin).toList(), "market_cap_usd", "desc");
    for (int at = 0; at < byCap.size(); at++) {
      byCap.get(at).put("rank", at + 1);
    }
    List<Map<String, @Nullable Object>> wanted =
        byCap.stream()
            .filter(coin -> ask.maybe("category").map(group -> in(coin, group)).orElse(true))
            .toList();
    String field = RANKED_BY.getOrDefault(ask.text("sort_by"), "market_cap_usd");
    return Answers.page(ask, Answers.sorted(wanted, field, ask.text("order")));
  }

  private static boolean in(Map<String, @Nullable Object> coin, String category) {
    return Token.of(String.valueOf(coin.get("symbol"))).categories().contains(category);
  }

  private Map<String, @Nullable Object> coin(Token token) {
    long now = world.now();
    Seeded seeded = Seeded.of("coin", token.symbol());
    return Fields.of(
        "ath", Prices.significant(token.middle() * Math.exp(token.volatility())),
        "ath_date", seeded.whole(1_700_000_000L, 1_760_000_000L),
        "atl", Prices.significant(token.middle() * Math.exp(-3 * token.volatility())),
        "atl_date", seeded.whole(1_500_000_000L, 1_600_000_000L),
        "change_24h_pct", Prices.changePercent(token, now - Spans.DAY, now),
        "circulating_supply", token.supply(),
        "fdv", Prices.fullyDiluted(token, now),
        "high_24h", Prices.high24h(token, now),
        "id", token.id(),
        "image", token.image(),
        "low_24h", Prices.low24h(token, now),
        "market_cap_usd", Prices.marketCap(token, now),
        "max_supply", token.maxSupply() == 0 ? null : token.maxSupply(),
        "name", token.name(),
        "price_usd", Prices.usd(token, now),
        "rank", 0,
        "slug", token.slug(),
        "symbol", token.symbol(),
        "total_supply", Math.max(token.supply(), token.maxSupply()),
        "volume_24h_usd", Prices.volume24hUsd(token, now));
  }

  private Map<String, @Nullable Object> fearAndGreed(Ask ask) {
    long now = world.now();
    List<Map<String, @Nullable Object>> days =
        Series.between(ask, now - 30 * Spans.DAY, now, Spans.DAY, MarketOverview::mood);
    return Answers.plain(newestFirst(days));
  }

  private static Map<String, @Nullable Object> mood(long day) {
    int value = (int) Math.round(50 + 45 * new Drift("mood").at(day) * 1.4);
    int bounded = Math.max(2, Math.min(98, value));
    return Fields.of(
        "value",
        bounded,
        "classification",
        classification(bounded),
        "price",
        Figures.round(Prices.usd(Token.of("BTC"), day), 2),
        "timestamp",
        day);
  }

  private static String classification(int value) {
    if (value < 25) {
      return "Extreme Fear";
    }
    if (value < 46) {
      return "Fear";
    }
    if (value < 55) {
      return "Neutral";
    }
    return value < 76 ? "Greed" : "Extreme Greed";
  }

  private Map<String, @Nullable Object> futures(Ask ask) {
    List<Map<String, @Nullable Object>> contracts =
        Token.ALL.stream()
            .filter(token -> !token.categories().contains("STABLECOIN"))
            .map(this::future)
            .toList();
    return Answers.plain(Answers.sorted(contracts, ask.text("sort_by"), ask.text("order")));
  }

  private Map<String, @Nullable Object> future(Token token) {
    long now = world.now();
    String symbol = token.symbol();
    double volume = Figures.round(Prices.volume24hUsd(token, now) * 1.8, 2);
    double before = Prices.volume24hUsd(token, now - Spans.DAY) * 1.8;
    return Fields.of(
        "funding_rate", Figures.round(0.0001 + 0.0004 * new Drift("future:" + symbol).at(now), 6),
        "long_short_ratio", Figures.round(new Drift("balance:" + symbol).level(1.2, 0.8, now), 4),
        "open_interest",
            Figures.round(
                new Drift("open:" + symbol).level(Prices.marketCap(token, now) * 0.03, 0.3, now),
                2),
        "project_id", token.id(),
        "symbol", symbol,
        "updated_at", now,
        "volume_24h", volume,
        "volume_change_24h", Figures.round((volume / before - 1) * 100, 2));
  }

  private Map<String, @Nullable Object> price(Ask ask) {
    Token token = Token.of(ask.text("symbol"));
    long now = world.now();
    long range = Spans.seconds(ask.text("time_range"));
    long step = range <= 2 * Spans.DAY ? 300 : range <= 90 * Spans.DAY ? Spans.HOUR : Spans.DAY;
    step = Math.max(step, range / PRICE_POINTS / 300 * 300);
    List<Map<String, @Nullable Object>> points =
        Series.between(ask, now - range, now, step, at -> point(token, at));
    Map<String, @Nullable Object> answer = Answers.plain(points);
    answer.put("project_id", token.id());
    answer.put("summary", summary(points));
    answer.put("symbol", token.symbol());
    return answer;
  }

  private static Map<String, @Nullable Object> point(Token token, long at) {
    return Fields.of(
        "exchange",
        null,
        "exchange_name",
        null,
        "metric",
        "price",
        "project_id",
        token.id(),
        "symbol",
        token.symbol(),
        "timestamp",
        at,
        "value",
        Prices.usd(token, at));
  }

  private static @Nullable Map<String, @Nullable Object> summary(
      List<Map<String, @Nullable Object>> points) {
    if (points.isEmpty()) {
      return null;
    }
    List<Double> values = points.stream().map(point -> Fields.number(point, "value")).toList();
    double first = values.get(0);
    double last = values.get(values.size() - 1);
    return Fields.of(
        "change_abs", Prices.significant(last - first),
        "change_pct", Figures.round((last / first - 1) * 100, 2),
        "first", first,
        "high", Collections.max(values),
        "last", last,
        "latest_dt", (long) Fields.number(points.get(points.size() - 1), "timestamp"),
        "low", Collections.min(values),
        "n_points", points.size());
  }

  private static <T> List<T> newestFirst(List<T> points) {
    List<T> turned = new ArrayList<>(points);
    Collections.reverse(turned);
    return turned;
  }
}
