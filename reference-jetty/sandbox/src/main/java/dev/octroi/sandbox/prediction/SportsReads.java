package dev.octroi.sandbox.prediction;

import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Games and their outcomes over the venues. */
final class SportsReads {

  private static final List<Venue> VENUES = List.of(Venue.B, Venue.A);

  private SportsReads() {}

  static void addTo(Routes routes) {
    routes
        .get("/sports/categories", ask -> categories())
        .get("/sports/markets", SportsReads::games)
        .get("/sports/markets/:game_id", SportsReads::one)
        .get("/sports/outcomes/:predexon_id", SportsReads::outcome)
        .get("/sports/events", SportsReads::events)
        .get("/sports/leagues", SportsReads::leagues)
        .get("/sports/live", SportsReads::live);
  }

  private static Row categories() {
    Map<String, List<Row>> sports = new LinkedHashMap<>();
    for (League league : League.values()) {
      sports.computeIfAbsent(league.sport(), sport -> new ArrayList<>()).add(row(league));
    }
    List<Row> rows =
        sports.entrySet().stream()
            .map(sport -> Row.of("sport", sport.getKey(), "leagues", sport.getValue()))
            .toList();
    return Row.of("categories", List.of(Row.of("category", "sports", "sports", rows)));
  }

  private static Row row(League league) {
    return Row.of("league", Canonical.word(league), "league_name", league.title());
  }

  private static List<Game> admitted(Ask ask) {
    String status = ask.optionalChoice("status", "open", "closed");
    return ask.universe().games().stream()
        .filter(game -> ask.admits("league", Canonical.word(game.league())))
        .filter(game -> ask.admits("sport", game.league().sport()))
        .filter(
            game ->
                ask.admits("category", "sports")
                    || ask.admits("category", game.league().sport())
                    || ask.admits("category", Canonical.word(game.league())))
        .filter(game -> status == null || status.equals(game.event().status(ask.now())))
        .toList();
  }

  private static Row games(Ask ask) {
    List<Row> rows = admitted(ask).stream().map(game -> row(game, ask.now())).toList();
    return Page.byKey(ask, new Row(), "games", rows, 50, 100);
  }

  private static Row one(Ask ask) {
    String id = ask.id("game_id");
    return ask.universe().games().stream()
        .filter(game -> game.id().equals(id))
        .findFirst()
        .map(game -> row(game, ask.now()))
        .orElseThrow(() -> VendorRefusal.notFound("Game", id));
  }

  private static Row row(Game game, Instant now) {
    List<Row> venues = VENUES.stream().map(venue -> venue(game, venue, now)).toList();
    Row winner = Row.of("market_type", "game_winner", "venues", venues);
    return heading(game, now).with("market_types", List.of(winner));
  }

  private static Row heading(Game game, Instant now) {
    return Row.of("game_id", game.id())
        .and(row(game.league()))
        .with("sport", game.league().sport())
        .with("game_date", game.date())
        .with("game_date_timezone", "UTC")
        .with("status", game.event().status(now))
        .with("title", game.event().title());
  }

  private static Row venue(Game game, Venue venue, Instant now) {
    List<Market> markets = game.markets();
    double share = venue == Venue.A ? 1 : 0.4;
    double volume = markets.stream().mapToDouble(m -> Volumes.total(m, now)).sum();
    double liquidity = markets.stream().mapToDouble(m -> Volumes.liquidity(m, now)).sum();
    List<Row> outcomes = markets.stream().map(m -> outcome(game, m, venue, now)).toList();
    return Row.of("venue", venue.word(), "market_title", game.event().title() + " winner?")
        .with("outcomes", outcomes)
        .with("volume", Numbers.usd(share * volume))
        .with("liquidity", Numbers.usd(share * liquidity))
        .with("end_time", Numbers.iso(game.event().end()));
  }

  private static Row outcome(Game game, Market market, Venue venue, Instant now) {
    Row yes =
        Row.of("predexon_id", market.yes().outcomeId())
            .with("price", Prices.of(market, venue, true, now.getEpochSecond()));
    Row no = Row.of("predexon_id", market.no().outcomeId());
    return Row.of("outcome", Canonical.outcome(market), "outcome_label", market.label())
        .with("event_id", game.id())
        .with("market_id", venue == Venue.A ? market.marketId() : market.ticker())
        .with("tokens", Row.of("yes", yes, "no", no));
  }

  private static Row outcome(Ask ask) {
    String id = ask.id("predexon_id");
    Market market =
        ask.universe()
            .byOutcome(id)
            .filter(
                each ->
                    ask.universe().games().stream().anyMatch(g -> g.event().equals(each.event())))
            .orElseThrow(() -> VendorRefusal.notFound("Outcome", id));
    boolean yes = market.yes().outcomeId().equals(id);
    List<Row> venues =
        VENUES.stream().map(venue -> listing(market, venue, yes, ask.now())).toList();
    String game = market.event().slug();
    return Row.of("predexon_id", id, "match_key", game, "event_id", game)
        .with("outcome", Canonical.outcome(market))
        .with("outcome_label", market.label())
        .with("market_type", "game_winner")
        .with("venues", venues);
  }

  private static Row listing(Market market, Venue venue, boolean yes, Instant now) {
    boolean a = venue == Venue.A;
    String side = yes ? "yes" : "no";
    return Row.of("venue", venue.word(), "market_id", a ? market.marketId() : market.ticker())
        .with("market_slug", a ? market.slug() : null)
        .with("condition_id", a ? market.conditionId() : null)
        .with("market_title", market.title())
        .with("token_id", a ? market.side(yes).tokenId() : market.ticker() + "-" + side)
        .with("predexon_id", market.side(yes).outcomeId())
        .with("side", side)
        .with("status", market.status(now));
  }

  private static Row events(Ask ask) {
    List<Row> rows =
        admitted(ask).stream()
            .map(
                game ->
                    heading(game, ask.now())
                        .with("starts_at", Numbers.iso(game.start()))
                        .with("live", game.live(ask.now())))
            .toList();
    return Page.byKey(ask, new Row(), "events", rows, 50, 100);
  }

  private static Row leagues(Ask ask) {
    List<Row> rows =
        Stream.of(League.values())
            .map(
                league ->
                    row(league)
                        .with("sport", league.sport())
                        .with("games", count(ask, league, false))
                        .with("open_games", count(ask, league, true)))
            .toList();
    return Row.of("leagues", rows);
  }

  private static long count(Ask ask, League league, boolean open) {
    return ask.universe().games().stream()
        .filter(game -> game.league() == league)
        .filter(game -> !open || !game.event().closed(ask.now()))
        .count();
  }

  private static Row live(Ask ask) {
    List<Row> rows =
        ask.universe().games().stream()
            .filter(game -> game.live(ask.now()))
            .map(
                game ->
                    row(game, ask.now())
                        .with(
                            "elapsed_seconds",
                            ask.now().getEpochSecond() - game.start().getEpochSecond()))
            .toList();
    return Page.byOffset(ask, Row.of("as_of", Numbers.iso(ask.now())), "games", rows, 50, 100);
  }
}
