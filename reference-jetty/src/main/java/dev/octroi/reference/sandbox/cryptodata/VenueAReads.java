package dev.octroi.reference.sandbox.cryptodata;

import dev.octroi.reference.sandbox.Figures;
import dev.octroi.reference.sandbox.Seeded;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.LongFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** What the vendor passes on from the first prediction venue. */
record VenueAReads(World world) implements Family {

  private static final int TRADES = 600;

  @Override
  public Map<String, Reading> readings() {
    String base = "GET /prediction-market/" + Wire.VENUE_A;
    return Map.of(
        base + "/markets", this::markets,
        base + "/events", this::events,
        base + "/prices", this::prices,
        base + "/volumes", this::volumes,
        base + "/open-interest", this::openInterest,
        base + "/trades", this::trades,
        base + "/positions", this::positions,
        base + "/activity", this::activity,
        "GET /search/" + Wire.VENUE_A, this::search);
  }

  private static Market market(Ask ask) {
    return Market.of(Market.VENUE_A, ask.anyOf("condition_id", "market_slug", "token_id"));
  }

  private Map<String, @Nullable Object> markets(Ask ask) {
    return Answers.page(ask, List.of(shown(market(ask))));
  }

  private Map<String, @Nullable Object> events(Ask ask) {
    return Answers.page(
        ask, List.of(event(Market.ofEvent(Market.VENUE_A, ask.text("event_slug")).event())));
  }

  private Map<String, @Nullable Object> search(Ask ask) {
    List<String> found =
        Market.VENUE_A.stream()
            .filter(market -> ask.maybe("q").map(market::matches).orElse(true))
            .filter(market -> ask.accepts("category", market.category()))
            .filter(market -> ask.is("status", "active"))
            .map(Market::event)
            .distinct()
            .toList();
    return Answers.page(ask, found.stream().map(this::event).toList());
  }

  private Map<String, @Nullable Object> event(String slug) {
    List<Market> markets =
        Market.VENUE_A.stream().filter(market -> market.event().equals(slug)).toList();
    Market first = markets.get(0);
    return Fields.of(
        "category", first.category(),
        "description", "Resolves as the title says.",
        "end_time", first.end(),
        "event_slug", slug,
        "image", first.image(),
        "market_count", markets.size(),
        "markets", markets.stream().map(this::shown).toList(),
        "settlement_sources", "https://sources.example/" + slug,
        "start_time", first.start(),
        "status", "active",
        "subcategory", first.subcategory(),
        "tags", List.of(first.category(), first.subcategory()),
        "title", first.eventTitle(),
        "volume_total", markets.stream().mapToDouble(Market::volume).sum());
  }

  private Map<String, @Nullable Object> shown(Market market) {
    long now = Spans.floor(world.now(), Spans.HOUR);
    Map<String, @Nullable Object> shown =
        Fields.of(
            "category", market.category(),
            "close_time", market.end(),
            "completed_time", null,
            "condition_id", market.conditionId(),
            "description", "Resolves as the title says.",
            "end_time", market.end(),
            "event_slug", market.event(),
            "game_start_time", null,
            "image", market.image(),
            "market_slug", market.key(),
            "negative_risk_id", Seeded.of("risk", market.event()).hex(24));
    shown.putAll(
        Fields.of(
            Wire.VENUE_A + "_link",
            "https://venue-a.example/event/" + market.event(),
            "resolution_source",
            "https://sources.example/" + market.event(),
            "side_a",
            Fields.of("id", market.token("Yes"), "label", "Yes"),
            "side_b",
            Fields.of("id", market.token("No"), "label", "No"),
            "start_time",
            market.start(),
            "status",
            "active",
            "subcategory",
            market.subcategory(),
            "tags",
            List.of(market.category(), market.subcategory()),
            "title",
            market.title(),
            "volume_1_month",
            Math.min(market.volume(), market.traded(now, 30 * Spans.DAY)),
            "volume_1_week",
            Math.min(market.volume(), market.traded(now, 7 * Spans.DAY)),
            "volume_1_year",
            market.volume(),
            "volume_total",
            market.volume(),
            "winning_side",
            null));
    return shown;
  }

  private Map<String, @Nullable Object> series(
      Ask ask, String interval, LongFunction<Map<String, @Nullable Object>> point) {
    long now = world.now();
    if (interval.equals("latest")) {
      return Answers.plain(List.of(point.apply(now)));
    }
    long step = Spans.seconds(interval);
    long range = Spans.seconds(ask.text("time_range"));
    return Answers.page(ask, Series.between(ask, now - range, now, step, point));
  }

  private Map<String, @Nullable Object> prices(Ask ask) {
    Market market = market(ask);
    return series(
        ask,
        ask.text("interval"),
        at ->
            Fields.of(
                "side_a", side(market, "Yes", market.yes(at)),
                "side_b", side(market, "No", market.no(at)),
                "timestamp", at));
  }

  private static Map<String, @Nullable Object> side(Market market, String label, double price) {
    return Fields.of("label", label, "price", price, "token_id", market.token(label));
  }

  private Map<String, @Nullable Object> volumes(Ask ask) {
    Market market = market(ask);
    long step = Spans.seconds(ask.text("interval"));
    return series(ask, ask.text("interval"), at -> volume(market, at, step));
  }

  private static Map<String, @Nullable Object> volume(Market market, long at, long step) {
    double total = market.traded(at, step);
    double bought =
        Figures.round(total * Seeded.of("bought", market.key(), at).uniform(0.3, 0.7), 2);
    return Fields.of(
        "buy_volume", bought,
        "notional_volume_usd", total,
        "sell_volume", Figures.round(total - bought, 2),
        "timestamp", at,
        "trade_count", 1 + Math.round(total / 180));
  }

  private Map<String, @Nullable Object> openInterest(Ask ask) {
    Market market = market(ask);
    return series(
        ask,
        "1d",
        at -> {
          double before = market.openInterest(at - Spans.DAY);
          double after = market.openInterest(at);
          return Fields.of(
              "daily_net_change_usd", Figures.round(after - before, 2),
              "open_interest_usd", after,
              "timestamp", at);
        });
  }

  private Map<String, @Nullable Object> trades(Ask ask) {
    String wallet = ask.maybe("address").map(world::address).orElse("");
    List<Market> markets =
        ask.maybe("condition_id")
            .map(id -> List.of(Market.of(Market.VENUE_A, id)))
            .orElseGet(() -> wallet.isEmpty() ? Market.VENUE_A : held(wallet));
    double least = ask.maybe("min_amount").map(Double::parseDouble).orElse(0.0);
    long from = ask.time("from").orElse(0L);
    long to = ask.time("to").orElse(Long.MAX_VALUE);
    List<Map<String, @Nullable Object>> rows =
        markets.stream()
            .flatMap(market -> history(market, wallet).stream())
            .filter(row -> ask.is("type", "all") || ask.is("type", String.valueOf(row.get("type"))))
            .filter(row -> Fields.number(row, "notional_volume_usd") >= least)
            .filter(row -> Fields.number(row, "timestamp") >= from)
            .filter(row -> Fields.number(row, "timestamp") <= to)
            .filter(row -> ask.accepts("outcome_label", row.get("outcome_label")))
            .toList();
    return Answers.page(ask, Answers.sorted(rows, ask.text("sort_by"), "desc"));
  }

  private List<Map<String, @Nullable Object>> history(Market market, String wallet) {
    Timeline timeline =
        new Timeline(
            "trades:" + market.key() + wallet, wallet.isEmpty() ? 45 : 40_000, world.now());
    return IntStream.range(0, wallet.isEmpty() ? TRADES : 12)
        .mapToObj(index -> trade(market, wallet, timeline, index))
        .toList();
  }

  private static Map<String, @Nullable Object> trade(
      Market market, String wallet, Timeline timeline, int index) {
    Seeded seeded = timeline.values(index);
    long time = timeline.time(index);
    String label = seeded.chance(0.6) ? "Yes" : "No";
    double price = label.equals("Yes") ? market.yes(time) : market.no(time);
    double size = seeded.skewed(5, 9_000, 2);
    String trader = wallet.isEmpty() ? seeded.address() : wallet;
    String side = seeded.chance(0.5) ? "buy" : "sell";
    return Fields.of(
        "address", trader,
        "condition_id", market.conditionId(),
        "market_slug", market.key(),
        "notional_volume_usd", Figures.round(price * size, 2),
        "outcome_label", label,
        "price", price,
        "side", side,
        "size", size,
        "timestamp", time,
        "tx_hash", seeded.transactionHash(),
        "type", "trade");
  }

  private static List<Market> held(String address) {
    return Market.VENUE_A.stream()
        .filter(market -> Seeded.of("holds", address, market.key()).chance(0.5))
        .toList();
  }

  private Map<String, @Nullable Object> positions(Ask ask) {
    String address = world.address(ask);
    List<Map<String, @Nullable Object>> rows =
        held(address).stream().map(market -> position(address, market)).toList();
    return Answers.page(ask, rows);
  }

  private Map<String, @Nullable Object> position(String address, Market market) {
    Seeded seeded = Seeded.of("position", address, market.key());
    boolean yes = seeded.chance(0.6);
    double price = yes ? market.yes(world.now()) : market.no(world.now());
    double paid = seeded.uniform(0.05, 0.95, 2);
    double size = seeded.skewed(10, 20_000, 2);
    return Fields.of(
        "avg_price",
        paid,
        "cash_pnl",
        Figures.round(size * (price - paid), 2),
        "condition_id",
        market.conditionId(),
        "cur_price",
        price,
        "current_value",
        Figures.round(size * price, 2),
        "outcome_label",
        yes ? "Yes" : "No",
        "question",
        market.title(),
        "realized_pnl",
        Figures.round(seeded.normal(0, 800), 2),
        "redeemable",
        false,
        "size",
        size);
  }

  private Map<String, @Nullable Object> activity(Ask ask) {
    String address = world.address(ask);
    Comparator<Map<String, @Nullable Object>> newest =
        Comparator.comparingDouble(row -> -Fields.number(row, "timestamp"));
    return Answers.page(
        ask,
        held(address).stream()
            .flatMap(market -> history(market, address).stream())
            .sorted(newest)
            .collect(Collectors.toList()));
  }
}
