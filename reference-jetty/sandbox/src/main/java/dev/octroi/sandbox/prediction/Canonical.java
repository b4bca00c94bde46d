package dev.octroi.sandbox.prediction;

import java.time.Instant;
import java.util.Locale;
import java.util.Optional;

/** How a market is named independently of venues, and how each venue names it. */
final class Canonical {

  private Canonical() {}

  static String word(League league) {
    return league.name().toLowerCase(Locale.ROOT);
  }

  static String outcome(Market market) {
    return market.code().toLowerCase(Locale.ROOT);
  }

  static Optional<Game> game(Universe universe, Event event) {
    return universe.games().stream().filter(game -> game.event().equals(event)).findFirst();
  }

  static String type(Universe universe, Event event) {
    return game(universe, event).isPresent() ? "game_winner" : "outcome";
  }

  static String claim(Market market) {
    return market.title().replaceAll("\\?$", "") + ": " + market.yes().label() + ".";
  }

  /** When the matter is decided, or a game begins. */
  static Instant start(Universe universe, Event event) {
    return game(universe, event).map(Game::start).orElse(event.end());
  }

  /** The identifiers of a market at a venue. */
  static Row names(Market market, Venue venue) {
    return switch (venue) {
      case A ->
          Row.of("market_id", market.marketId(), "condition_id", market.conditionId())
              .with("market_slug", market.slug());
      case B, C -> Row.of("market_ticker", market.ticker());
      case D -> Row.of("market_id", market.number(venue), "market_slug", market.slug());
      default -> Row.of("market_id", market.number(venue));
    };
  }

  /** The token of one side at a venue. */
  static String token(Market market, Venue venue, boolean yes) {
    return switch (venue) {
      case A -> market.side(yes).tokenId();
      case B -> market.ticker() + (yes ? "-yes" : "-no");
      case C -> market.mint(yes);
      default -> market.token(venue, yes);
    };
  }
}
