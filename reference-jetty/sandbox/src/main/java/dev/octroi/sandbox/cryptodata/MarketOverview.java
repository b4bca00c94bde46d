package dev.octroi.sandbox.cryptodata;

import dev.octroi.sandbox.vendor.Drift;
import dev.octroi.sandbox.vendor.Figures;
import dev.octroi.sandbox.vendor.Seeded;
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

  private Fields ranking(Ask ask) {
    List<Fields> byCap =
        Answers.sorted(Token.ALL.stream().map(this::coin).toList(), "market_cap_usd", "desc");
    for (int at = 0; at < byCap.size(); at++) {
      byCap.get(at).put("rank", at + 1);
    }
    List<Fields> wanted =
        byCap.stream()
            .filter(coin -> ask.maybe("category").map(group -> in(coin, group)).orElse(true))
            .toList();
    String field = RANKED_BY.getOrDefault(ask.text("sort_by"), "market_cap_usd");
    return Answers.page(ask, Answers.sorted(wanted, field, ask.text("order")));
  }

  private static boolean in(Fields coin, String category) {
    return Token.of(String.valueOf(coin.get("symbol"))).categories().contains(category);
  }

  private Fields coin(Token token) {
    long now = world.now();
    Seeded seeded = Seeded.of("coin", token.symbol());
    return Fields.of("ath", Prices.significant(token.middle() * Math.exp(token.volatility())))
        .and("ath_date", seeded.whole(1_700_000_000L, 1_760_000_000L))
        .and("atl", Prices.significant(token.middle() * Math.exp(-3 * token.volatility())))
        .and("atl_date", seeded.whole(1_500_000_000L, 1_600_000_000L))
        .and("change_24h_pct", Prices.changePercent(token, now - Spans.DAY, now))
        .and("circulating_supply", token.supply())
        .and("fdv", Prices.fullyDiluted(token, now))
        .and("high_24h", Prices.high24h(token, now))
        .and("id", token.id())
        .and("image", token.image())
        .and("low_24h", Prices.low24h(token, now))
        .and("market_cap_usd", Prices.marketCap(token, now))
        .and("max_supply", token.maxSupply() == 0 ? null : token.maxSupply())
        .and("name", token.name())
        .and("price_usd", Prices.usd(token, now))
        .and("rank", 0)
        .and("slug", token.slug())
        .and("symbol", token.symbol())
        .and("total_supply", Math.max(token.supply(), token.maxSupply()))
        .and("volume_24h_usd", Prices.volume24hUsd(token, now));
  }

  private Fields fearAndGreed(Ask ask) {
    long now = world.now();
    List<Fields> days =
        Series.between(ask, now - 30 * Spans.DAY, now, Spans.DAY, MarketOverview::mood);
    return Answers.plain(newestFirst(days));
  }

  private static Fields mood(long day) {
    int value = (int) Math.round(50 + 45 * new Drift("mood").at(day) * 1.4);
    int bounded = Math.max(2, Math.min(98, value));
    return Fields.of("value", bounded)
        .and("classification", classification(bounded))
        .and("price", Figures.round(Prices.usd(Token.of("BTC"), day), 2))
        .and("timestamp", day);
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

  private Fields futures(Ask ask) {
    List<Fields> contracts =
        Token.ALL.stream()
            .filter(token -> !token.categories().contains("STABLECOIN"))
            .map(this::future)
            .toList();
    return Answers.plain(Answers.sorted(contracts, ask.text("sort_by"), ask.text("order")));
  }

  private Fields future(Token token) {
    long now = world.now();
    String symbol = token.symbol();
    double volume = Figures.round(Prices.volume24hUsd(token, now) * 1.8, 2);
    double before = Prices.volume24hUsd(token, now - Spans.DAY) * 1.8;
    return Fields.of(
            "funding_rate",
            Figures.round(0.0001 + 0.0004 * new Drift("future:" + symbol).at(now), 6))
        .and(
            "long_short_ratio",
            Figures.round(new Drift("balance:" + symbol).level(1.2, 0.8, now), 4))
        .and(
            "open_interest",
            Figures.round(
                new Drift("open:" + symbol).level(Prices.marketCap(token, now) * 0.03, 0.3, now),
                2))
        .and("project_id", token.id())
        .and("symbol", symbol)
        .and("updated_at", now)
        .and("volume_24h", volume)
        .and("volume_change_24h", Figures.round((volume / before - 1) * 100, 2));
  }

  private Fields price(Ask ask) {
    Token token = Token.of(ask.text("symbol"));
    long now = world.now();
    long range = Spans.seconds(ask.text("time_range"));
    long step = range <= 2 * Spans.DAY ? 300 : range <= 90 * Spans.DAY ? Spans.HOUR : Spans.DAY;
    step = Math.max(step, range / PRICE_POINTS / 300 * 300);
    List<Fields> points = Series.between(ask, now - range, now, step, at -> point(token, at));
    Fields answer = Answers.plain(points);
    answer.put("project_id", token.id());
    answer.put("summary", summary(points));
    answer.put("symbol", token.symbol());
    return answer;
  }

  private static Fields point(Token token, long at) {
    return Fields.of("exchange", null)
        .and("exchange_name", null)
        .and("metric", "price")
        .and("project_id", token.id())
        .and("symbol", token.symbol())
        .and("timestamp", at)
        .and("value", Prices.usd(token, at));
  }

  private static @Nullable Fields summary(List<Fields> points) {
    if (points.isEmpty()) {
      return null;
    }
    List<Double> values = points.stream().map(point -> point.number("value")).toList();
    double first = values.get(0);
    double last = values.get(values.size() - 1);
    return Fields.of("change_abs", Prices.significant(last - first))
        .and("change_pct", Figures.round((last / first - 1) * 100, 2))
        .and("first", first)
        .and("high", Collections.max(values))
        .and("last", last)
        .and("latest_dt", (long) points.get(points.size() - 1).number("timestamp"))
        .and("low", Collections.min(values))
        .and("n_points", points.size());
  }

  private static <T> List<T> newestFirst(List<T> points) {
    List<T> turned = new ArrayList<>(points);
    Collections.reverse(turned);
    return turned;
  }
}
