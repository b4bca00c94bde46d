package dev.octroi.sandbox.cryptodata;

import dev.octroi.sandbox.vendor.Figures;
import dev.octroi.sandbox.vendor.Seeded;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.LongFunction;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/** What the vendor passes on from the second prediction venue. */
record VenueBReads(World world) implements Family {

  private static final int TRADES = 600;

  @Override
  public Map<String, Reading> readings() {
    String base = "GET /prediction-market/" + Wire.VENUE_B;
    return Map.of(
        base + "/markets",
        this::markets,
        base + "/events",
        this::events,
        base + "/prices",
        this::prices,
        base + "/trades",
        this::trades,
        base + "/volumes",
        this::volumes,
        base + "/open-interest",
        this::openInterest,
        base + "/ranking",
        this::ranking,
        "GET /search/" + Wire.VENUE_B,
        this::search,
        "GET /search/prediction-market",
        this::bothVenues);
  }

  private static Market market(Ask ask) {
    return Market.of(Market.VENUE_B, ask.text("ticker"));
  }

  private Fields markets(Ask ask) {
    List<Market> wanted =
        ask.maybe("market_ticker")
            .map(ticker -> List.of(Market.of(Market.VENUE_B, ticker)))
            .orElse(Market.VENUE_B);
    return Answers.page(
        ask,
        wanted.stream()
            .filter(market -> ask.accepts("category", market.category()))
            .map(this::shown)
            .toList());
  }

  private Fields events(Ask ask) {
    List<String> wanted =
        ask.maybe("event_ticker")
            .map(ticker -> List.of(Market.ofEvent(Market.VENUE_B, ticker).event()))
            .orElseGet(() -> Market.VENUE_B.stream().map(Market::event).distinct().toList());
    return Answers.page(ask, wanted.stream().map(this::event).toList());
  }

  private Fields search(Ask ask) {
    boolean open = ask.maybe("status").map("active"::equals).orElse(true);
    List<String> found =
        Market.VENUE_B.stream()
            .filter(market -> open)
            .filter(market -> ask.maybe("q").map(market::matches).orElse(true))
            .filter(market -> ask.accepts("category", market.category()))
            .map(Market::event)
            .distinct()
            .toList();
    return Answers.page(ask, found.stream().map(this::event).toList());
  }

  private Fields event(String ticker) {
    List<Market> markets =
        Market.VENUE_B.stream().filter(market -> market.event().equals(ticker)).toList();
    return Fields.of("event_subtitle", markets.get(0).subcategory())
        .and("event_ticker", ticker)
        .and("event_title", markets.get(0).eventTitle())
        .and("market_count", markets.size())
        .and("markets", markets.stream().map(this::shown).toList());
  }

  private Fields shown(Market market) {
    long now = Spans.floor(world.now(), Spans.HOUR);
    return Fields.of("category", market.category())
        .and("close_time", market.end())
        .and("end_time", market.end())
        .and("event_ticker", market.event())
        .and("event_title", market.eventTitle())
        .and("last_day_open_interest", market.openInterest(now - Spans.DAY))
        .and("market_ticker", market.key())
        .and("notional_volume_usd", Figures.round(market.volume() * market.probability(), 2))
        .and("open_interest", market.openInterest(now))
        .and("payout_type", "binary")
        .and("result", "")
        .and("start_time", market.start())
        .and("status", "active")
        .and("subcategory", market.subcategory())
        .and("title", market.title())
        .and("total_volume", (long) market.volume());
  }

  private Fields series(Ask ask, long step, LongFunction<Fields> point) {
    long now = world.now();
    long range = Spans.seconds(ask.text("time_range"));
    return Answers.page(ask, Series.between(ask, now - range, now, step, point));
  }

  private Fields prices(Ask ask) {
    Market market = market(ask);
    if (ask.is("interval", "latest")) {
      return Answers.plain(List.of(candle(market, world.now(), Spans.HOUR)));
    }
    long step = Spans.seconds(ask.text("interval"));
    return series(ask, step, at -> candle(market, at, step));
  }

  /** The price at a time and where it was in the step before. */
  private static Fields candle(Market market, long at, long step) {
    double[] within =
        LongStream.rangeClosed(0, 6)
            .mapToDouble(part -> market.yes(at - step + part * step / 6))
            .toArray();
    double high = Arrays.stream(within).max().orElse(0);
    double low = Arrays.stream(within).min().orElse(0);
    return Fields.of("high", high)
        .and("low", low)
        .and("open", within[0])
        .and("side_a", Fields.of("label", "Yes").and("price", market.yes(at)))
        .and("side_b", Fields.of("label", "No").and("price", market.no(at)))
        .and("timestamp", at);
  }

  private Fields trades(Ask ask) {
    Market market = market(ask);
    double least = ask.maybe("min_amount").map(Double::parseDouble).orElse(0.0);
    long from = ask.time("from").orElse(0L);
    long to = ask.time("to").orElse(Long.MAX_VALUE);
    Timeline timeline = new Timeline("trades:" + market.key(), 50, world.now());
    List<Fields> rows =
        IntStream.range(0, TRADES)
            .mapToObj(index -> trade(market, timeline, index))
            .filter(row -> ask.accepts("taker_side", row.get("taker_side")))
            .filter(row -> row.number("notional_volume_usd") >= least)
            .filter(row -> row.number("timestamp") >= from)
            .filter(row -> row.number("timestamp") <= to)
            .toList();
    return Answers.page(ask, Answers.sorted(rows, ask.text("sort_by"), ask.text("order")));
  }

  private static Fields trade(Market market, Timeline timeline, int index) {
    Seeded seeded = timeline.values(index);
    long time = timeline.time(index);
    boolean yes = seeded.chance(0.55);
    long contracts = (long) seeded.skewed(1, 9_000, 0);
    double price = yes ? market.yes(time) : market.no(time);
    return Fields.of("market_ticker", market.key())
        .and("no_price", market.no(time))
        .and("notional_volume_usd", Figures.round(contracts * price, 2))
        .and("taker_side", yes ? "yes" : "no")
        .and("timestamp", time)
        .and("trade_id", seeded.uuid())
        .and("yes_price", market.yes(time));
  }

  private Fields volumes(Ask ask) {
    Market market = market(ask);
    return series(
        ask,
        Spans.DAY,
        at -> Fields.of("notional_volume_usd", market.traded(at, Spans.DAY)).and("timestamp", at));
  }

  private Fields openInterest(Ask ask) {
    Market market = market(ask);
    return series(
        ask,
        Spans.DAY,
        at -> Fields.of("open_interest", market.openInterest(at)).and("timestamp", at));
  }

  private Fields ranking(Ask ask) {
    String field = ask.is("sort_by", "open_interest") ? "open_interest" : "total_volume";
    List<Fields> rows = Market.VENUE_B.stream().map(this::shown).toList();
    return Answers.page(ask, Answers.sorted(rows, field, ask.text("order")));
  }

  /** The markets of both venues; all of them are active. */
  private Fields bothVenues(Ask ask) {
    List<Fields> rows =
        Stream.of(Wire.VENUE_A, Wire.VENUE_B)
            .filter(venue -> ask.accepts("platform", venue))
            .filter(venue -> ask.is("status", "active"))
            .flatMap(
                venue ->
                    (venue.equals(Wire.VENUE_A) ? Market.VENUE_A : Market.VENUE_B)
                        .stream()
                            .filter(market -> ask.maybe("q").map(market::matches).orElse(true))
                            .filter(market -> ask.accepts("category", market.category()))
                            .map(market -> discovered(venue, market)))
            .filter(row -> ask.accepts("condition_id", row.get("condition_id")))
            .filter(row -> ask.accepts("market_ticker", row.get("market_ticker")))
            .toList();
    String sort = ask.text("sort_by").replace("open_interest", "open_interest_usd");
    return Answers.page(ask, Answers.sorted(rows, sort, ask.text("order")));
  }

  private Fields discovered(String venue, Market market) {
    long now = Spans.floor(world.now(), Spans.HOUR);
    double price = market.yes(now);
    Fields row =
        Fields.of("platform", venue)
            .and("question", market.title())
            .and("category", market.category())
            .and("subcategory", market.subcategory())
            .and("status", "active")
            .and("event_title", market.eventTitle())
            .and("days_to_resolution", (market.end() - now) / Spans.DAY)
            .and("latest_price", price)
            .and("volume_1d", market.traded(now, Spans.DAY))
            .and("volume_7d", market.traded(now, 7 * Spans.DAY))
            .and("volume_30d", market.traded(now, 30 * Spans.DAY))
            .and("trade_count_7d", (long) (market.traded(now, 7 * Spans.DAY) / 40))
            .and("open_interest_usd", market.openInterest(now));
    return venue.equals(Wire.VENUE_A)
        ? row.and("condition_id", market.conditionId())
            .and("market_slug", market.key())
            .and("event_slug", market.event())
            .and("outcome_label", "Yes")
            .and("token_id", market.token("Yes"))
        : row.and("market_ticker", market.key()).and("event_ticker", market.event());
  }
}
