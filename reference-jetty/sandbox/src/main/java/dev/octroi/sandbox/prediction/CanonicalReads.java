package dev.octroi.sandbox.prediction;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Markets and outcomes by the vendor's own identifiers, with the venues that trade them. */
final class CanonicalReads {

  private CanonicalReads() {}

  static void addTo(Routes routes) {
    routes
        .get("/markets", CanonicalReads::markets)
        .get("/markets/listings", CanonicalReads::listings)
        .get("/outcomes/:predexon_id", CanonicalReads::outcome)
        .get("/markets/categories", CanonicalReads::categories);
  }

  private static List<Event> events(Ask ask) {
    String status = ask.optionalChoice("status", "open", "closed");
    return ask.universe().markets().stream()
        .map(Market::event)
        .distinct()
        .filter(event -> !event.slug().equals("sandbox-archived"))
        .filter(event -> status == null || status.equals(event.status(ask.now())))
        .filter(event -> ask.admits("category", event.category()))
        .filter(event -> ask.admits("event_id", event.slug()))
        .sorted(Comparator.comparing(Event::end).thenComparing(Event::slug))
        .toList();
  }

  private static Row markets(Ask ask) {
    List<Row> rows = events(ask).stream().map(event -> market(event, ask)).toList();
    return Page.byKey(ask, new Row(), "markets", rows, 50, 100);
  }

  private static Row market(Event event, Ask ask) {
    List<Market> markets = ask.universe().of(event);
    Row row =
        Row.of("event_id", event.slug(), "market_title", event.title(), "description", null)
            .with("starts_at", Numbers.iso(Canonical.start(ask.universe(), event)))
            .with("status", event.status(ask.now()))
            .with("venues", words(markets.get(0)))
            .with("outcomes", markets.stream().map(each -> outcome(each, ask)).toList());
    return row.with("league", league(ask, event));
  }

  private static Object league(Ask ask, Event event) {
    return Canonical.game(ask.universe(), event)
        .map(game -> Canonical.word(game.league()))
        .orElse(event.category());
  }

  private static List<String> words(Market market) {
    return market.venues().stream().map(Venue::word).sorted().toList();
  }

  private static Row outcome(Market market, Ask ask) {
    return Row.of("predexon_id", market.yes().outcomeId())
        .with("outcome", Canonical.outcome(market))
        .with("market_type", Canonical.type(ask.universe(), market.event()))
        .with("outcome_label", market.label())
        .with("claim", Canonical.claim(market))
        .with("status", market.status(ask.now()))
        .with("venues", words(market));
  }

  private static Row listings(Ask ask) {
    List<Row> rows = new ArrayList<>();
    for (Event event : events(ask)) {
      for (Market market : ask.universe().of(event)) {
        for (Venue venue : Venue.TRADING) {
          if (market.at(venue) && ask.admits("venue", venue.word())) {
            rows.add(listing(market, venue, true, ask));
            rows.add(listing(market, venue, false, ask));
          }
        }
      }
    }
    rows.removeIf(row -> !ask.admits("predexon_id", row.text("predexon_id")));
    return Page.byKey(ask, new Row(), "listings", rows, 50, 100);
  }

  private static Row listing(Market market, Venue venue, boolean yes, Ask ask) {
    return Row.of("predexon_id", market.side(yes).outcomeId(), "event_id", market.event().slug())
        .with("market_type", Canonical.type(ask.universe(), market.event()))
        .with("venue", venue.word())
        .and(Canonical.names(market, venue))
        .with("venue_market_title", market.title())
        .with("token_id", Canonical.token(market, venue, yes))
        .with("side", yes ? "yes" : "no")
        .with("status", market.status(ask.now()));
  }

  private static Row outcome(Ask ask) {
    String id = ask.id("predexon_id");
    Market market =
        ask.universe().byOutcome(id).orElseThrow(() -> VendorRefusal.notFound("Outcome", id));
    boolean yes = market.yes().outcomeId().equals(id);
    Event event = market.event();
    List<Row> venues =
        market.venues().stream()
            .sorted(Comparator.comparing(Venue::word))
            .map(venue -> venue(market, venue, yes, ask))
            .toList();
    return Row.of("predexon_id", id, "event_id", event.slug())
        .with("market_type", Canonical.type(ask.universe(), event))
        .with("market_title", event.title())
        .with("starts_at", Numbers.iso(Canonical.start(ask.universe(), event)))
        .with("status", market.status(ask.now()))
        .with("outcome", Canonical.outcome(market))
        .with("outcome_label", market.label())
        .with("claim", Canonical.claim(market))
        .with("venues", venues)
        .with("league", league(ask, event));
  }

  private static Row venue(Market market, Venue venue, boolean yes, Ask ask) {
    Row row =
        Row.of("venue", venue.word())
            .and(Canonical.names(market, venue))
            .with("venue_market_title", market.title())
            .with("token_id", Canonical.token(market, venue, yes))
            .with("side", yes ? "yes" : "no")
            .with("status", market.status(ask.now()))
            .with("selection_label", market.label());
    return venue == Venue.B
        ? row.with("yes_subtitle", market.label()).with("series", market.event().series())
        : row;
  }

  private static Row categories(Ask ask) {
    Map<String, Row> rows = new LinkedHashMap<>();
    for (Market market : ask.universe().markets()) {
      String category = market.event().category();
      Row row = rows.computeIfAbsent(category, c -> Row.of("category", c, "markets", 0));
      row.with("markets", (int) row.number("markets") + 1);
      for (Venue venue : market.venues()) {
        row.with(venue.word(), (int) row.number(venue.word()) + 1);
      }
    }
    return Row.of("categories", rows.values());
  }
}
