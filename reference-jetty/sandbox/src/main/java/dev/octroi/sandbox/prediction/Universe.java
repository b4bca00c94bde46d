package dev.octroi.sandbox.prediction;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Everything that exists in the sandbox during one month: identifiers stay the same from month to
 * month, dates follow the calendar, so that there are always open markets and games of today.
 * Immutable.
 */
final class Universe {

  private final Instant anchor;
  private final List<Game> games;
  private final List<Market> markets;
  private final Map<String, List<Market>> byEvent = new HashMap<>();
  private final Map<String, Market> byId = new HashMap<>();
  private final Ledger ledger;

  /** Builds the universe of the month that begins at the given time. */
  Universe(Instant anchor) {
    this.anchor = anchor;
    this.games = Game.calendar(anchor);
    List<Market> all = new ArrayList<>(EventTable.markets(anchor));
    for (Game game : games) {
      all.addAll(game.markets());
    }
    this.markets = List.copyOf(all);
    for (Market market : markets) {
      byEvent.computeIfAbsent(market.event().slug(), slug -> new ArrayList<>()).add(market);
      index(market);
    }
    this.ledger = new Ledger(this);
  }

  private void index(Market market) {
    for (Market.Side side : List.of(market.yes(), market.no())) {
      byId.put("outcome " + side.outcomeId(), market);
    }
    if (market.at(Venue.A)) {
      byId.put("condition " + market.conditionId(), market);
      byId.put("question " + market.questionId(), market);
      byId.put("slug " + market.slug(), market);
      byId.put("market " + market.marketId(), market);
      byId.put("token " + market.yes().tokenId(), market);
      byId.put("token " + market.no().tokenId(), market);
    }
    if (market.at(Venue.B)) {
      byId.put("ticker " + market.ticker(), market);
    }
  }

  Instant anchor() {
    return anchor;
  }

  Ledger ledger() {
    return ledger;
  }

  List<Game> games() {
    return games;
  }

  List<Market> markets() {
    return markets;
  }

  List<Market> markets(Venue venue) {
    return markets.stream().filter(market -> market.at(venue)).toList();
  }

  /** The markets of an event, in the order of its outcomes. */
  List<Market> of(Event event) {
    return byEvent.getOrDefault(event.slug(), List.of());
  }

  List<Event> events(Venue venue) {
    return markets(venue).stream().map(Market::event).distinct().toList();
  }

  Optional<Market> byOutcome(String outcomeId) {
    return find("outcome ", outcomeId);
  }

  Optional<Market> byTicker(String ticker) {
    return find("ticker ", ticker.toUpperCase(Locale.ROOT));
  }

  Optional<Market> byToken(String tokenId) {
    return find("token ", tokenId);
  }

  Optional<Market> byCondition(String conditionId) {
    return find("condition ", conditionId.toLowerCase(Locale.ROOT));
  }

  Optional<Market> bySlug(String slug) {
    return find("slug ", slug.toLowerCase(Locale.ROOT));
  }

  /** A market of venue A by any of its names. */
  Optional<Market> byAnyName(String name) {
    return byCondition(name)
        .or(() -> bySlug(name))
        .or(() -> find("market ", name))
        .or(() -> find("question ", name.toLowerCase(Locale.ROOT)))
        .or(() -> byToken(name));
  }

  private Optional<Market> find(String kind, String id) {
    Market market = byId.get(kind + id);
    return market == null ? UpDown.find(id) : Optional.of(market);
  }
}
