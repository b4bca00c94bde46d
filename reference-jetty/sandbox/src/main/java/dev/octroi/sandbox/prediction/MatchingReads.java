package dev.octroi.sandbox.prediction;

import java.time.Instant;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiFunction;

/** Which markets of venues A and B are the same, or about the same. */
final class MatchingReads {

  /** Each identifier that a call may give, and how its market is found. */
  private static final Map<String, BiFunction<Ask, String, Optional<Market>>> IDENTIFIERS =
      identifiers();

  private MatchingReads() {}

  static void addTo(Routes routes) {
    routes
        .get("/matching-markets", MatchingReads::matches)
        .get("/matching-markets/pairs", MatchingReads::pairs)
        .get("/pairs", MatchingReads::priced);
  }

  private static Map<String, BiFunction<Ask, String, Optional<Market>>> identifiers() {
    Map<String, BiFunction<Ask, String, Optional<Market>>> finders = new LinkedHashMap<>();
    String a = Venue.A.word();
    finders.put(a + "_condition_id", (ask, id) -> ask.universe().byCondition(id));
    finders.put(a + "_market_slug", (ask, id) -> ask.universe().bySlug(id));
    finders.put(
        a + "_market_id",
        (ask, id) -> ask.universe().byAnyName(id).filter(m -> m.marketId().equals(id)));
    finders.put(Venue.B.word() + "_market_ticker", (ask, id) -> ask.universe().byTicker(id));
    finders.put(
        Venue.D.word() + "_slug",
        (ask, id) -> ask.universe().bySlug(id).filter(market -> market.at(Venue.D)));
    for (Venue venue : List.of(Venue.F, Venue.E)) {
      finders.put(venue.word() + "_market_id", (ask, id) -> numbered(ask, venue, id));
      finders.put(venue.word() + "_condition_id", (ask, id) -> byCondition(ask, venue, id));
      finders.put(venue.word() + "_token_id", (ask, id) -> byToken(ask, venue, id));
    }
    return finders;
  }

  private static Optional<Market> numbered(Ask ask, Venue venue, String id) {
    return ask.universe().markets(venue).stream()
        .filter(market -> String.valueOf(market.number(venue)).equals(id))
        .findFirst();
  }

  private static Optional<Market> byCondition(Ask ask, Venue venue, String id) {
    return ask.universe().markets(venue).stream()
        .filter(market -> OtherVenueShapes.condition(market, venue).equals(id))
        .findFirst();
  }

  private static Optional<Market> byToken(Ask ask, Venue venue, String id) {
    return ask.universe().markets(venue).stream()
        .filter(m -> m.token(venue, true).equals(id) || m.token(venue, false).equals(id))
        .findFirst();
  }

  private static Row matches(Ask ask) {
    List<String> given = IDENTIFIERS.keySet().stream().filter(n -> ask.text(n) != null).toList();
    if (given.size() != 1) {
      throw VendorRefusal.badRequest("Invalid parameters", "Give exactly one market identifier");
    }
    String name = given.get(0);
    Market market =
        Optional.ofNullable(IDENTIFIERS.get(name))
            .flatMap(finder -> finder.apply(ask, ask.required(name)))
            .orElse(null);
    if (market == null) {
      return Row.of("query", Row.of(name, ask.text(name)), "matches", new Row())
          .with("summary", summary(0, 0, Set.of()));
    }
    Venue from = name.startsWith(Venue.B.word()) ? Venue.B : Venue.A;
    return matches(ask, market, from, from == Venue.A ? Venue.B : Venue.A);
  }

  private static Row matches(Ask ask, Market market, Venue from, Venue to) {
    String type = ask.choice("match_type", "all", "exact", "related");
    List<Row> exact = List.of();
    List<Row> related = List.of();
    if (market.at(to)) {
      exact = type.equals("related") ? exact : List.of(match(market, market, to, ask.now()));
      related = type.equals("exact") ? related : related(ask, market, to);
    }
    Row found = new Row();
    if (!exact.isEmpty() || !related.isEmpty()) {
      found.with(to.upper(), Row.of("exact", exact, "related", related));
    }
    return Row.of("query", query(market, from, ask.now()), "matches", found)
        .with("summary", summary(exact.size(), related.size(), found.members().keySet()));
  }

  private static List<Row> related(Ask ask, Market market, Venue to) {
    return ask.universe().of(market.event()).stream()
        .filter(other -> !other.equals(market) && other.at(to))
        .map(other -> match(market, other, to, ask.now()))
        .toList();
  }

  private static Row summary(int exact, int related, Set<String> platforms) {
    return Row.of("total_matches", exact + related, "exact_matches", exact)
        .with("related_matches", related)
        .with("platforms", List.copyOf(new TreeSet<>(platforms)));
  }

  private static Row query(Market market, Venue from, Instant now) {
    return Row.of("platform", from.upper())
        .and(names(market, from))
        .with("status", market.status(now));
  }

  /** How the matching endpoints name a market of venue A or B. */
  static Row names(Market market, Venue venue) {
    if (venue == Venue.B) {
      return Row.of("market_ticker", market.ticker(), "title", market.title())
          .with("yes_subtitle", market.label());
    }
    return Row.of("condition_id", market.conditionId(), "market_slug", market.slug())
        .with("market_id", market.marketId())
        .with("title", market.title());
  }

  private static Row match(Market market, Market other, Venue venue, Instant now) {
    boolean same = market.equals(other);
    return names(other, venue)
        .with("status", other.status(now))
        .with("explanation", same ? "Same question, same deadline" : "Same event, other outcome")
        .with("similarity", same ? similarity(market) : 60 + Chance.below(other.key(), 46, 20));
  }

  static int similarity(Market market) {
    return 92 + Chance.below(market.key(), 45, 8);
  }

  /** The markets that both venues trade, the most similar first. */
  static List<Market> paired(Ask ask, boolean activeOnly) {
    return ask.universe().markets(Venue.A).stream()
        .filter(market -> market.at(Venue.B))
        .filter(market -> !activeOnly || !market.closed(ask.now()))
        .filter(market -> similarity(market) >= ask.number("min_similarity", 0))
        .sorted(
            Comparator.comparingInt(MatchingReads::similarity)
                .reversed()
                .thenComparing(Market::index))
        .toList();
  }

  private static Row pairs(Ask ask) {
    List<Row> rows =
        paired(ask, ask.flag("active_only", true)).stream()
            .map(
                market ->
                    Row.of(Venue.A.upper(), names(market, Venue.A))
                        .with(Venue.B.upper(), names(market, Venue.B))
                        .with("similarity", similarity(market))
                        .with("explanation", "Same question, same deadline"))
            .toList();
    return Page.byKey(ask, new Row(), "pairs", rows, 100, 200);
  }

  private static Row priced(Ask ask) {
    List<Row> rows =
        paired(ask, true).stream()
            .map(m -> ComparisonReads.sides(m, ask.now()).with("similarity", similarity(m)))
            .toList();
    return Page.byKey(ask, new Row(), "pairs", rows, 100, 200);
  }
}
