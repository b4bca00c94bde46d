package dev.octroi.sandbox.world;

import dev.octroi.sandbox.formula.Item;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A question with several outcomes, each of which is a market.
 *
 * @param code the number of its first market, by which it can be found again
 * @param slug its name in addresses; of a game its id
 * @param category that of the venues
 * @param tag what it is about more exactly
 * @param series ticker of the series at venue B
 * @param ticker ticker of the event at venue B
 * @param created when it was listed, in Unix seconds
 * @param starts when what it is about begins: a game, or else the decision
 * @param end when it resolves, in Unix seconds
 * @param exclusive whether at most one outcome can come true
 * @param game its league and teams; null for what is no game
 */
record Event(
    int code,
    String slug,
    String title,
    String category,
    String tag,
    String series,
    String ticker,
    long created,
    long starts,
    long end,
    boolean exclusive,
    Set<Venue> venues,
    Calendar.@Nullable Fixture game)
    implements Item {

  boolean isClosed(long time) {
    return time >= end;
  }

  @Override
  public String type() {
    return "event";
  }

  @Override
  public @Nullable Object get(String name, long time) {
    return switch (name) {
      case "id" -> Integer.toString(code);
      case "slug" -> slug;
      case "title" -> title;
      case "category" -> category;
      case "tag" -> tag;
      case "tags" -> List.of(category, tag);
      case "series" -> series;
      case "ticker" -> ticker;
      case "created" -> created;
      case "starts" -> starts;
      case "end" -> end;
      case "closed" -> isClosed(time);
      case "status" -> isClosed(time) ? "closed" : "open";
      case "exclusive" -> exclusive;
      case "markets" -> Calendar.markets(this);
      case "venues" -> Market.words(venues);
      case "is_game" -> game != null;
      case "league" -> game == null ? null : game.league();
      case "live" -> game != null && time >= starts && time < end;
      default -> NONE;
    };
  }
}
