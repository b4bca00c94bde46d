package dev.octroi.sandbox.prediction;

import java.time.Instant;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/** The markets of venue A. */
final class MarketReads {

  private static final List<String> METRICS =
      List.of(
          "volume_1d",
          "volume_7d",
          "volume_30d",
          "trades_1d",
          "trades_7d",
          "trades_30d",
          "oi_change_1d",
          "oi_change_7d",
          "oi_change_30d");

  private static final Map<String, Long> DAYS = Map.of("1d", 1L, "7d", 7L, "30d", 30L);

  private MarketReads() {}

  static void addTo(Routes routes) {
    routes
        .get(
            "/venue-a/markets", ask -> Page.byOffset(ask, new Row(), "markets", list(ask), 20, 100))
        .get(
            "/venue-a/markets/keyset",
            ask -> Page.byKey(ask, new Row(), "markets", list(ask), 20, 100))
        .get("/venue-a/market/:id", ask -> row(ask.market(ask.id("id")), ask.now()))
        .get("/venue-a/related/:id", MarketReads::related)
        .get("/venue-a/crypto-updown", MarketReads::upDown);
  }

  private static List<Row> list(Ask ask) {
    Stream<Market> admitted =
        ask.universe().markets(Venue.A).stream().filter(market -> admitted(ask, market));
    return sorted(ask, admitted)
        .map(market -> row(market, ask.now()))
        .filter(row -> metricsAdmitted(ask, row))
        .toList();
  }

  private static boolean admitted(Ask ask, Market market) {
    String status = ask.optionalChoice("status", "open", "closed");
    List<String> tags = Stream.of("tags", "category").flatMap(n -> ask.list(n).stream()).toList();
    boolean named = !ask.list("condition_id").isEmpty() || !ask.list("market_slug").isEmpty();
    return (named || !market.archived())
        && (status == null || status.equals(market.status(ask.now())))
        && (tags.isEmpty() || market.event().tags().stream().anyMatch(tags::contains))
        && matches(ask.text("search", ""), market.title())
        && ask.admits("event_slug", market.event().slug())
        && ask.admits("condition_id", market.conditionId())
        && ask.admits("question_id", market.questionId())
        && ask.admits("market_id", market.marketId())
        && ask.admits("market_slug", market.slug())
        && ask.within("price", Prices.of(market, true, ask.now()))
        && ask.within("volume", Volumes.total(market, ask.now()))
        && ask.within("open_interest", Volumes.openInterest(market, ask.now().getEpochSecond()));
  }

  private static boolean metricsAdmitted(Ask ask, Row row) {
    Row metrics = (Row) Objects.requireNonNull(row.get("rolling_metrics"));
    return METRICS.stream().allMatch(name -> ask.within(name, metrics.number(name)));
  }

  /** Whether every word of a search occurs in a title. */
  static boolean matches(String search, String title) {
    String lower = title.toLowerCase(Locale.ROOT);
    return Stream.of(search.toLowerCase(Locale.ROOT).split("\\W+")).allMatch(lower::contains);
  }

  private static Stream<Market> sorted(Ask ask, Stream<Market> markets) {
    Instant now = ask.now();
    String sort =
        ask.choice(
            "sort",
            "volume",
            "open_interest",
            "price_desc",
            "price_asc",
            "expiration",
            "expiration_asc",
            "created",
            "created_asc",
            "relevance",
            "volume_1d",
            "volume_7d",
            "volume_30d",
            "trades_1d",
            "trades_7d",
            "trades_30d",
            "oi_change_1d",
            "oi_change_7d",
            "oi_change_30d");
    Comparator<Market> order =
        switch (sort) {
          case "open_interest" ->
              falling(market -> Volumes.openInterest(market, now.getEpochSecond()));
          case "price_desc" -> falling(market -> Prices.of(market, true, now));
          case "price_asc" -> falling(market -> -Prices.of(market, true, now));
          case "expiration" -> Comparator.comparing(Market::end).reversed();
          case "expiration_asc" -> Comparator.comparing(Market::end);
          case "created" -> Comparator.comparing(Market::created).reversed();
          case "created_asc" -> Comparator.comparing(Market::created);
          case "volume", "relevance" -> falling(market -> Volumes.total(market, now));
          default -> falling(market -> metrics(market, now).number(sort));
        };
    return markets.sorted(order.thenComparing(Market::index));
  }

  /** From the highest value down; each value is computed once. */
  static Comparator<Market> falling(ToDoubleFunction<Market> value) {
    IdentityHashMap<Market, Double> known = new IdentityHashMap<>();
    return Comparator.comparingDouble(
            (Market market) -> known.computeIfAbsent(market, value::applyAsDouble))
        .reversed();
  }

  static Row row(Market market, Instant now) {
    Event event = market.event();
    boolean closed = market.closed(now);
    return Row.of("condition_id", market.conditionId(), "question_id", market.questionId())
        .with("market_id", market.marketId())
        .with("market_slug", market.slug())
        .with("title", market.title())
        .with("description", "Resolves " + market.yes().label() + " if so. Sandbox data.")
        .with("status", market.status(now))
        .with("winning_side", closed ? market.winner() : null)
        .with("start_time", Numbers.iso(market.created()))
        .with("end_time", Numbers.iso(market.end()))
        .with("close_time", closed ? Numbers.iso(market.end()) : null)
        .with("created_time", Numbers.iso(market.created()))
        .with("image_url", "https://example.com/markets/" + market.slug() + ".png")
        .with("event_id", event.id())
        .with("event_slug", event.slug())
        .with("event_title", event.title())
        .with("outcomes", outcomes(market, Venue.A, now))
        .with("total_volume_usd", Volumes.total(market, now))
        .with("liquidity_usd", Volumes.liquidity(market, now))
        .with("tags", event.tags())
        .with("is_neg_risk", event.exclusive())
        .with("rolling_metrics", metrics(market, now));
  }

  /** Both sides with their tokens and prices at a venue. */
  static List<Row> outcomes(Market market, Venue venue, Instant now) {
    return Stream.of(true, false)
        .map(
            yes ->
                Row.of(
                    "label", market.side(yes).label(),
                    "token_id",
                        venue == Venue.A ? market.side(yes).tokenId() : market.token(venue, yes),
                    "predexon_id", market.side(yes).outcomeId(),
                    "price", Prices.of(market, venue, yes, now.getEpochSecond())))
        .toList();
  }

  /** What happened in the last day, week and month. */
  static Row metrics(Market market, Instant now) {
    Row volumes = new Row();
    Row bought = new Row();
    Row sold = new Row();
    Row trades = new Row();
    Row buys = new Row();
    Row sells = new Row();
    Row interest = new Row();
    for (String window : List.of("1d", "7d", "30d")) {
      long seconds = DAYS.getOrDefault(window, 1L) * 86_400;
      double volume = Numbers.usd(Volumes.last(market, now, seconds));
      double buying = Numbers.usd(volume * Volumes.buying(market));
      long count = Volumes.trades(market, volume);
      long bids = Math.round(count * Volumes.buying(market));
      long second = now.getEpochSecond();
      volumes.with("volume_" + window, volume);
      bought.with("buy_volume_" + window, buying);
      sold.with("sell_volume_" + window, Numbers.usd(volume - buying));
      trades.with("trades_" + window, count);
      buys.with("buys_" + window, bids);
      sells.with("sells_" + window, count - bids);
      double before = Volumes.openInterest(market, second - seconds);
      interest.with(
          "oi_change_" + window, Numbers.usd(Volumes.openInterest(market, second) - before));
    }
    Row all = volumes.and(bought).and(sold).and(trades).and(buys).and(sells).and(interest);
    return all.with("computed_at", Numbers.iso(now));
  }

  private static Row related(Ask ask) {
    Market market = ask.market(ask.id("id"));
    List<Row> related =
        ask.universe().markets(Venue.A).stream()
            .filter(each -> !each.archived() && !each.equals(market))
            .filter(each -> each.event().category().equals(market.event().category()))
            .sorted(
                Comparator.comparing((Market each) -> !each.event().equals(market.event()))
                    .thenComparing(Market::index))
            .map(
                each ->
                    row(each, ask.now()).with("same_event", each.event().equals(market.event())))
            .toList();
    Row before = Row.of("condition_id", market.conditionId());
    return Page.byOffset(ask, before, "related", related, 20, 100);
  }

  private static Row upDown(Ask ask) {
    String asset = ask.optionalChoice("asset", "btc", "eth", "sol", "xrp");
    String frame = ask.optionalChoice("timeframe", "15m", "1h", "4h", "daily");
    String status = ask.optionalChoice("status", "open", "closed");
    long after = ask.integer("end_after", 0, 0, Long.MAX_VALUE);
    long until = ask.integer("end_before", Long.MAX_VALUE, 0, Long.MAX_VALUE);
    Comparator<UpDown> order = Comparator.comparingLong(UpDown::end).thenComparing(UpDown::slug);
    List<Row> rows =
        UpDown.around(ask.now(), 48).stream()
            .filter(each -> asset == null || asset.equals(each.asset().asset()))
            .filter(each -> frame == null || frame.equals(each.frame().word()))
            .filter(each -> each.end() > after && each.end() <= until)
            .sorted(ask.choice("sort", "desc", "asc").equals("desc") ? order.reversed() : order)
            .map(each -> upDownRow(each, ask.now()))
            .filter(row -> status == null || status.equals(row.get("status")))
            .toList();
    return Page.byOffset(ask, new Row(), "markets", rows, 50, 200);
  }

  private static Row upDownRow(UpDown window, Instant now) {
    Market market = window.market();
    return Row.of("condition_id", market.conditionId(), "market_slug", market.slug())
        .with("title", market.title())
        .with("asset", window.asset().asset())
        .with("timeframe", window.frame().word())
        .with("status", market.status(now))
        .with("winning_side", market.closed(now) ? market.winner() : null)
        .with("up_price", Prices.of(market, true, now))
        .with("down_price", Prices.of(market, false, now))
        .with("up_token_id", market.yes().tokenId())
        .with("down_token_id", market.no().tokenId())
        .with("start_time", Numbers.iso(window.start()))
        .with("end_time", Numbers.iso(window.end()))
        .with("total_volume_usd", Volumes.total(market, now))
        .with("liquidity_usd", Volumes.liquidity(market, now))
        .with("event_slug", market.event().slug())
        .with("image_url", "https://example.com/markets/" + window.asset().asset() + ".png");
  }
}
