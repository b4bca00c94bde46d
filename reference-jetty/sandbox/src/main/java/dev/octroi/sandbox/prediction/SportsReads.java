package dev.octroi.sandbox.prediction;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
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
        .get("/sports/games", SportsReads::discovered)
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
        .filter(game -> ask.admits("game_date", game.date()))
        .filter(game -> ask.text("game_date_from", "").compareTo(game.date()) <= 0)
        .filter(game -> ask.text("game_date_to", "9999-12-31").compareTo(game.date()) >= 0)
        .filter(game -> status == null || status.equals(game.event().status(ask.now())))
        .sorted(
            ask.text("sort_by", "game_date_asc").equals("game_date_desc")
                ? Comparator.comparing(Game::date).reversed()
                : Comparator.comparing(Game::date))
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

  /** Games without what each venue has of them. */
  private static Row discovered(Ask ask) {
    List<Row> rows = admitted(ask).stream().map(game -> summary(game, ask.now())).toList();
    return Page.byKey(ask, new Row(), "games", rows, 50, 200);
  }

  private static Row summary(Game game, Instant now) {
    List<Market> markets = game.markets();
    double volume = markets.stream().mapToDouble(m -> Volumes.total(m, now)).sum();
    double liquidity = markets.stream().mapToDouble(m -> Volumes.liquidity(m, now)).sum();
    return Row.of("game_id", game.id(), "title", game.event().title())
        .and(row(game.league()))
        .with("sport", game.league().sport())
        .with("game_date", game.date())
        .with("status", game.event().status(now))
        .with("venues_available", VENUES.size())
        .with("total_volume", Numbers.usd(1.4 * volume))
        .with("total_liquidity", Numbers.usd(1.4 * liquidity))
        .with(
            "outcomes",
            markets.stream()
                .map(
                    market ->
                        Row.of("outcome", Canonical.outcome(market), "label", market.label())
                            .with("yes", Row.of("predexon_id", market.yes().outcomeId()))
                            .with("no", Row.of("predexon_id", market.no().outcomeId())))
                .toList());
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
    boolean liveOnly = ask.text("live_only", "false").equals("true");
    List<Row> rows =
        admitted(ask).stream()
            .filter(game -> !liveOnly || game.live(ask.now()))
            .map(game -> state(game, ask.now()))
            .toList();
    return Page.byKey(ask, new Row(), "live_states", rows, 50, 200);
  }

  private static Row state(Game game, Instant now) {
    boolean live = game.live(now);
    boolean ended = !live && !now.isBefore(game.event().end());
    boolean known = live || ended;
    long played =
        Math.min(Game.LENGTH.toMinutes(), Duration.between(game.start(), now).toMinutes());
    Long home = known ? played / (20 + Chance.below(Chance.key(game.id()), 3, 40)) : null;
    Long away = known ? played / (20 + Chance.below(Chance.key(game.id()), 4, 40)) : null;
    return Row.of("game_id", game.id(), "league", Canonical.word(game.league()))
        .with("sport", game.league().sport())
        .with("game_date", game.date())
        .with("title", game.event().title())
        .with("home_team", null)
        .with("away_team", null)
        .with(
            "participants",
            game.markets().stream()
                .map(m -> Row.of("code", Canonical.outcome(m), "name", m.label()))
                .toList())
        .with("status", live ? "live" : game.event().status(now))
        .with("status_text", null)
        .with("live", live)
        .with("ended", ended)
        .with("period", null)
        .with("clock", live ? played + ":00" : null)
        .with(
            "score",
            Row.of("home", home, "away", away).with("display", known ? home + "-" + away : null))
        .with("winner", null)
        .with("ended_at", ended ? Numbers.iso(game.event().end()) : null)
        .with("last_play", null)
        .with("significant_events", List.of())
        .with(
            "reliability",
            Row.of("state", known ? "ok" : "no_data", "source_count", known ? 1 : 0)
                .with("sources", List.of())
                .with("conflict", false)
                .with("stale", !known))
        .with("sources", List.of())
        .with("updated_at", known ? Numbers.iso(now) : null);
  }
}
