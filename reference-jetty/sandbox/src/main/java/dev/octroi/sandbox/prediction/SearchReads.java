package dev.octroi.sandbox.prediction;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;

/** Searching and browsing the markets of all venues. */
final class SearchReads {

  private static final List<Venue> SEARCHED = List.of(Venue.B, Venue.D, Venue.E, Venue.A, Venue.F);

  private static final Comparator<Row> BY_VOLUME = falling("volume");

  private SearchReads() {}

  static void addTo(Routes routes) {
    routes
        .get("/markets/search", SearchReads::search)
        .get("/markets/trending", ask -> browse(ask, market -> true, falling("volume_1d")))
        .get(
            "/markets/new",
            ask ->
                browse(
                    ask,
                    market -> market.created().plus(Duration.ofDays(90)).isAfter(ask.now()),
                    Comparator.comparing((Row row) -> row.text("created_time")).reversed()))
        .get(
            "/markets/resolving-soon",
            ask ->
                browse(
                    ask,
                    market -> market.end().isBefore(ask.now().plus(Duration.ofDays(120))),
                    Comparator.comparing((Row row) -> row.text("end_time"))))
        .get("/markets/highest-volume", ask -> browse(ask, market -> true, BY_VOLUME));
  }

  private static Comparator<Row> falling(String name) {
    return Comparator.comparingDouble((Row row) -> row.number(name)).reversed();
  }

  private static Row search(Ask ask) {
    String query = ask.required("q");
    String status = ask.optionalChoice("status", "open", "closed");
    int limit = ask.limit(20, 100);
    List<Venue> venues = venues(ask);
    List<Row> hits = new ArrayList<>();
    for (Market market : ask.universe().markets()) {
      boolean fits = status == null || status.equals(market.status(ask.now()));
      if (fits && !market.archived() && fits(query, market)) {
        venues.stream().filter(market::at).forEach(v -> hits.add(hit(market, v, ask.now())));
      }
    }
    hits.sort(BY_VOLUME);
    List<Row> first = hits.subList(0, Math.min(limit, hits.size()));
    return Row.of("query", query, "count", first.size())
        .with("venues_searched", venues.stream().map(Venue::word).toList())
        .with("markets", first);
  }

  /** Whether a market is about all the words. */
  static boolean fits(String words, Market market) {
    Event event = market.event();
    return MarketReads.matches(
        words, market.title() + " " + event.title() + " " + event.category());
  }

  private static List<Venue> venues(Ask ask) {
    if (ask.list("venue").isEmpty()) {
      return SEARCHED;
    }
    List<Venue> venues = new ArrayList<>();
    for (Venue venue : Venue.TRADING) {
      if (ask.admits("venue", venue.word()) || ask.admits("venue", venue.path())) {
        venues.add(venue);
      }
    }
    return venues;
  }

  static Row hit(Market market, Venue venue, Instant now) {
    Row row =
        Row.of("venue", venue.word(), "title", market.title(), "status", market.status(now))
            .with("price", Prices.of(market, venue, true, now.getEpochSecond()))
            .with("volume", Numbers.usd(share(market, venue) * Volumes.total(market, now)));
    if (venue == Venue.B || venue == Venue.C) {
      row.with("market_id", market.ticker());
    } else if (venue == Venue.A) {
      row.with("market_slug", market.slug()).with("condition_id", market.conditionId());
    } else {
      row.and(Canonical.names(market, venue));
    }
    return row.with("predexon_id", market.yes().outcomeId())
        .with("end_time", Numbers.iso(market.end()));
  }

  /** What part of venue A's volume a venue has. */
  static double share(Market market, Venue venue) {
    return venue == Venue.A ? 1 : Chance.between(market.key() + venue.letter(), 40, 0.05, 0.7);
  }

  private static Row browse(Ask ask, Predicate<Market> which, Comparator<Row> order) {
    List<Row> rows =
        ask.universe().markets(Venue.A).stream()
            .filter(market -> !market.closed(ask.now()) && which.test(market))
            .map(market -> hit(market, Venue.A, ask.now()).and(dated(market, ask.now())))
            .sorted(order.thenComparing(row -> row.text("market_slug")))
            .toList();
    return Page.byOffset(ask, new Row(), "markets", rows, 20, 100);
  }

  private static Row dated(Market market, Instant now) {
    return Row.of("volume_1d", Numbers.usd(Volumes.last(market, now, 86_400)))
        .with("created_time", Numbers.iso(market.created()))
        .with("category", market.event().category());
  }
}
