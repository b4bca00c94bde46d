package dev.octroi.sandbox.prediction;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * A game of a league: an event with one market for each team.
 *
 * @param league where it is played
 * @param start kick-off
 * @param event the event at the venues; its slug is the game's identifier
 * @param teams short codes of both teams
 * @param markets who wins, in the order of the teams
 */
record Game(League league, Instant start, Event event, List<String> teams, List<Market> markets) {

  /** Longer than the time between two starts, so that there are live games at any time. */
  static final Duration LENGTH = Duration.ofHours(36);

  private static final List<League> LEAGUES = List.of(League.values());
  private static final int PER_LEAGUE = 8;
  private static final int FIRST_INDEX = 500;

  String id() {
    return event.slug();
  }

  String date() {
    return LocalDate.ofInstant(start, ZoneOffset.UTC).toString();
  }

  boolean live(Instant now) {
    return !now.isBefore(start) && now.isBefore(event.end());
  }

  /** The games of a month, spread evenly from some days before it. */
  static List<Game> calendar(Instant anchor) {
    List<Game> games = new ArrayList<>();
    int count = PER_LEAGUE * LEAGUES.size();
    for (int i = 0; i < count; i++) {
      League league = LEAGUES.get(i % LEAGUES.size());
      Instant start =
          anchor.plus(Duration.ofDays(i * 38L / count - 4)).plus(Duration.ofHours(12 + i % 8));
      games.add(game(league, i, start));
    }
    return games;
  }

  private static Game game(League league, int number, Instant start) {
    int round = number / LEAGUES.size();
    int home = round % 2 == 0 ? round : round + 2;
    int away = home + 1;
    List<String> teams = List.of(league.code(home), league.code(away));
    String date = LocalDate.ofInstant(start, ZoneOffset.UTC).toString();
    String code = league.name().toLowerCase(Locale.ROOT);
    String id = code + "-" + String.join("-", teams) + "-" + date;
    String series = "KX" + league.name() + "GAME";
    Event event =
        new Event(
            String.valueOf(19_000 + number),
            id,
            league.team(home) + " vs " + league.team(away),
            "sports",
            series,
            series + "-" + tickerDate(start) + String.join("", teams).toUpperCase(Locale.ROOT),
            start.minus(Duration.ofDays(14)),
            start.plus(LENGTH),
            true);
    double homeChance = Math.round(Chance.between(Chance.key(id), 1, 0.3, 0.7) * 100) / 100.0;
    boolean homeWins = Chance.unit(Chance.key(id), 2) < homeChance;
    List<Market> markets =
        List.of(
            market(event, 2 * number, teams.get(0), league.team(home), homeChance, homeWins),
            market(
                event, 2 * number + 1, teams.get(1), league.team(away), 1 - homeChance, !homeWins));
    return new Game(league, start, event, teams, markets);
  }

  private static String tickerDate(Instant start) {
    return DateTimeFormatter.ofPattern("yyMMMdd", Locale.ENGLISH)
        .withZone(ZoneOffset.UTC)
        .format(start)
        .toUpperCase(Locale.ROOT);
  }

  private static Market market(
      Event event, int number, String code, String team, double chance, boolean wins) {
    Set<Venue> venues = EnumSet.of(Venue.A, Venue.B);
    String slug = event.slug() + "-" + code;
    return new Market(
        event,
        FIRST_INDEX + number,
        slug,
        "Will " + team + " win " + event.title() + "?",
        team,
        code.toUpperCase(Locale.ROOT),
        Chance.hex("condition " + slug, 64),
        new Market.Side("Yes", Chance.token(slug + " yes"), Chance.outcomeId(slug + " yes")),
        new Market.Side("No", Chance.token(slug + " no"), Chance.outcomeId(slug + " no")),
        chance,
        wins,
        Set.copyOf(venues));
  }
}
