package dev.octroi.sandbox.cryptodata;

import dev.octroi.sandbox.vendor.Figures;
import dev.octroi.sandbox.vendor.Seeded;
import java.util.List;
import java.util.Map;
import java.util.function.LongFunction;

/** What the vendor passes on from the first prediction venue. */
record VenueAReads(World world) implements Family {

  @Override
  public Map<String, Reading> readings() {
    String base = "GET /prediction-market/" + Wire.VENUE_A;
    return Map.of(
        base + "/markets", this::markets,
        base + "/events", this::events,
        base + "/prices", this::prices,
        base + "/volumes", this::volumes,
        base + "/open-interest", this::openInterest,
        "GET /search/" + Wire.VENUE_A, this::search);
  }

  private static Market market(Ask ask) {
    return Market.of(Market.VENUE_A, ask.anyOf("condition_id", "market_slug", "token_id"));
  }

  private Fields markets(Ask ask) {
    return Answers.page(ask, List.of(shown(market(ask))));
  }

  private Fields events(Ask ask) {
    return Answers.page(
        ask, List.of(event(Market.ofEvent(Market.VENUE_A, ask.text("event_slug")).event())));
  }

  private Fields search(Ask ask) {
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

  private Fields event(String slug) {
    List<Market> markets =
        Market.VENUE_A.stream().filter(market -> market.event().equals(slug)).toList();
    Market first = markets.get(0);
    return Fields.of("category", first.category())
        .and("description", "Resolves as the title says.")
        .and("end_time", first.end())
        .and("event_slug", slug)
        .and("image", first.image())
        .and("market_count", markets.size())
        .and("markets", markets.stream().map(this::shown).toList())
        .and("settlement_sources", "https://sources.example/" + slug)
        .and("start_time", first.start())
        .and("status", "active")
        .and("subcategory", first.subcategory())
        .and("tags", List.of(first.category(), first.subcategory()))
        .and("title", first.eventTitle())
        .and("volume_total", markets.stream().mapToDouble(Market::volume).sum());
  }

  private Fields shown(Market market) {
    long now = Spans.floor(world.now(), Spans.HOUR);
    Fields shown =
        Fields.of("category", market.category())
            .and("close_time", market.end())
            .and("completed_time", null)
            .and("condition_id", market.conditionId())
            .and("description", "Resolves as the title says.")
            .and("end_time", market.end())
            .and("event_slug", market.event())
            .and("game_start_time", null)
            .and("image", market.image())
            .and("market_slug", market.key())
            .and("negative_risk_id", Seeded.of("risk", market.event()).hex(24));
    shown.putAll(
        Fields.of(Wire.VENUE_A + "_link", "https://venue-a.example/event/" + market.event())
            .and("resolution_source", "https://sources.example/" + market.event())
            .and("side_a", Fields.of("id", market.token("Yes")).and("label", "Yes"))
            .and("side_b", Fields.of("id", market.token("No")).and("label", "No"))
            .and("start_time", market.start())
            .and("status", "active")
            .and("subcategory", market.subcategory())
            .and("tags", List.of(market.category(), market.subcategory()))
            .and("title", market.title())
            .and("volume_1_month", Math.min(market.volume(), market.traded(now, 30 * Spans.DAY)))
            .and("volume_1_week", Math.min(market.volume(), market.traded(now, 7 * Spans.DAY)))
            .and("volume_1_year", market.volume())
            .and("volume_total", market.volume())
            .and("winning_side", null));
    return shown;
  }

  private Fields series(Ask ask, String interval, LongFunction<Fields> point) {
    long now = world.now();
    if (interval.equals("latest")) {
      return Answers.plain(List.of(point.apply(now)));
    }
    long step = Spans.seconds(interval);
    long range = Spans.seconds(ask.text("time_range"));
    return Answers.page(ask, Series.between(ask, now - range, now, step, point));
  }

  private Fields prices(Ask ask) {
    Market market = market(ask);
    return series(
        ask,
        ask.text("interval"),
        at ->
            Fields.of("side_a", side(market, "Yes", market.yes(at)))
                .and("side_b", side(market, "No", market.no(at)))
                .and("timestamp", at));
  }

  private static Fields side(Market market, String label, double price) {
    return Fields.of("label", label).and("price", price).and("token_id", market.token(label));
  }

  private Fields volumes(Ask ask) {
    Market market = market(ask);
    long step = Spans.seconds(ask.text("interval"));
    return series(ask, ask.text("interval"), at -> volume(market, at, step));
  }

  private static Fields volume(Market market, long at, long step) {
    double total = market.traded(at, step);
    double bought =
        Figures.round(total * Seeded.of("bought", market.key(), at).uniform(0.3, 0.7), 2);
    return Fields.of("buy_volume", bought)
        .and("notional_volume_usd", total)
        .and("sell_volume", Figures.round(total - bought, 2))
        .and("timestamp", at)
        .and("trade_count", 1 + Math.round(total / 180));
  }

  private Fields openInterest(Ask ask) {
    Market market = market(ask);
    return series(
        ask,
        "1d",
        at -> {
          double before = market.openInterest(at - Spans.DAY);
          double after = market.openInterest(at);
          return Fields.of("daily_net_change_usd", Figures.round(after - before, 2))
              .and("open_interest_usd", after)
              .and("timestamp", at);
        });
  }
}
