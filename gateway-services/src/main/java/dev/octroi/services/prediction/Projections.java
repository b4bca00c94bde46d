package dev.octroi.services.prediction;

import static dev.octroi.services.read.UpstreamJson.amount;
import static dev.octroi.services.read.UpstreamJson.at;
import static dev.octroi.services.read.UpstreamJson.each;
import static dev.octroi.services.read.UpstreamJson.first;
import static dev.octroi.services.read.UpstreamJson.fraction;
import static dev.octroi.services.read.UpstreamJson.list;
import static dev.octroi.services.read.UpstreamJson.number;
import static dev.octroi.services.read.UpstreamJson.present;
import static dev.octroi.services.read.UpstreamJson.record;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.octroi.services.ErrorCode;
import dev.octroi.services.Failure;
import dev.octroi.services.read.Arguments;
import dev.octroi.services.read.ReadSource.Projection;
import dev.octroi.services.read.UpstreamJson;
import java.math.BigDecimal;
import java.util.List;

/** What composed rows take of the vendor's bodies. What a body lacks is null. */
final class Projections {

  private static final List<String> VOLUMES = List.of("volume_1d", "volume_7d", "volume_30d");

  private Projections() {}

  /**
   * The one element of a list that has the identifier in the row's path, which the vendor was asked
   * for.
   */
  static Projection one(String list, String member) {
    return (arguments, body) -> named(arguments, body, list, member);
  }

  private static JsonNode named(Arguments arguments, JsonNode body, String list, String member) {
    String wanted = arguments.path().values().iterator().next();
    for (JsonNode element : list(body, list)) {
      if (wanted.equalsIgnoreCase(element.path(member).asText())) {
        return element;
      }
    }
    throw unknown();
  }

  static Failure unknown() {
    return new Failure(ErrorCode.MARKET_NOT_FOUND, "The market or event is unknown or delisted");
  }

  /** The market of venue A that the path names. */
  private static JsonNode market(Arguments arguments, JsonNode body) {
    return named(arguments, body, "markets", "condition_id");
  }

  static JsonNode volumes(Arguments arguments, JsonNode body) {
    JsonNode market = market(arguments, body);
    ObjectNode made = taken(market, "condition_id", "market_slug");
    VOLUMES.forEach(name -> made.set(name, amount(market, "rolling_metrics", name)));
    made.set("total_volume_usd", amount(market, "total_volume_usd"));
    present(
        first(made, "total_volume_usd", "volume_1d", "volume_7d", "volume_30d"),
        "total_volume_usd");
    return made;
  }

  static JsonNode liquidity(Arguments arguments, JsonNode body) {
    JsonNode market = market(arguments, body);
    present(amount(market, "liquidity_usd"), "liquidity_usd");
    return taken(market, "condition_id", "market_slug", "liquidity_usd");
  }

  static JsonNode resolution(Arguments arguments, JsonNode body) {
    JsonNode market = market(arguments, body);
    ObjectNode made = taken(market, "condition_id", "market_slug", "title", "status");
    made.set("resolved", BooleanNode.valueOf(market.hasNonNull("winning_side")));
    made.setAll(taken(market, "winning_side", "close_time", "end_time"));
    return made;
  }

  /** The vendor's candles speak of the yes side; the sides cost 1 together. */
  static JsonNode priceHistory(Arguments arguments, JsonNode body) {
    ObjectNode made = taken(body, "condition_id");
    made.set("history", each(list(body, "candlesticks"), Projections::closing));
    return made;
  }

  private static JsonNode closing(JsonNode candle) {
    JsonNode yes = fraction(candle, "price", "close");
    ObjectNode made = record();
    made.set("timestamp", at(candle, "end_period_ts"));
    made.set("yes_price", yes);
    made.set(
        "no_price",
        yes.isNumber()
            ? number(BigDecimal.ONE.subtract(yes.decimalValue()))
            : NullNode.getInstance());
    return made;
  }

  static JsonNode portfolio(Arguments arguments, JsonNode body) {
    ObjectNode made = record();
    made.set("address", at(body, "wallet_address"));
    made.setAll(taken(body, "summary", "positions", "pagination"));
    return made;
  }

  static JsonNode leagues(Arguments arguments, JsonNode body) {
    ObjectNode made = record();
    var leagues = made.putArray("leagues");
    for (JsonNode category : list(body, "categories")) {
      for (JsonNode sport : category.path("sports")) {
        for (JsonNode league : sport.path("leagues")) {
          ObjectNode row = taken(league, "league", "league_name");
          row.set("sport", at(sport, "sport"));
          leagues.add(row);
        }
      }
    }
    return made;
  }

  private static ObjectNode taken(JsonNode object, String... names) {
    return UpstreamJson.taken(object, List.of(names));
  }
}
