package dev.octroi.services.prediction;

import static dev.octroi.services.read.UpstreamJson.amount;
import static dev.octroi.services.read.UpstreamJson.at;
import static dev.octroi.services.read.UpstreamJson.each;
import static dev.octroi.services.read.UpstreamJson.first;
import static dev.octroi.services.read.UpstreamJson.fraction;
import static dev.octroi.services.read.UpstreamJson.list;
import static dev.octroi.services.read.UpstreamJson.present;
import static dev.octroi.services.read.UpstreamJson.text;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.octroi.services.read.Arguments;
import dev.octroi.services.read.UpstreamJson;
import dev.octroi.services.upstream.VenueWords;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/**
 * The records that speak of several venues: search hits, and those of a topic by venue
 * (specification, prediction records). Prices are decimals for all venues, so that they compare.
 */
final class ProviderRecords {

  private static final String VENUE_B = "venue-b";
  private static final String VENUE_C = "venue-c";

  /** Of one answer of the search. */
  static final int MOST_HITS = 100;

  private final VenueWords words;
  private final boolean realNames;

  ProviderRecords(VenueWords words, boolean realNames) {
    this.words = words;
    this.realNames = realNames;
  }

  /** {@code { results, total }}; the vendor's count is that of its hits. */
  JsonNode search(JsonNode vendor) {
    JsonNode total = at(vendor, "pagination", "total");
    var made = UpstreamJson.record();
    made.set("results", each(list(vendor, "markets"), this::hit));
    made.set("total", total.isNull() ? at(vendor, "count") : total);
    return made;
  }

  /**
   * {@code { topic, count, truncated, venues: [{ provider, markets }] }}: the hits of each venue
   * together. The vendor's search has no second page: as many hits as it gives at most may be cut.
   */
  JsonNode compared(Arguments arguments, JsonNode vendor) {
    Map<JsonNode, ArrayNode> venues = new LinkedHashMap<>();
    for (JsonNode market : list(vendor, "markets")) {
      ObjectNode hit = hit(market);
      JsonNode provider = hit.remove("provider");
      venues.computeIfAbsent(provider, venue -> UpstreamJson.record().arrayNode()).add(hit);
    }
    ObjectNode made = UpstreamJson.record();
    made.put("topic", arguments.value("topic").orElse(""));
    made.set("count", at(vendor, "count"));
    made.put("truncated", list(vendor, "markets").size() >= MOST_HITS);
    ArrayNode groups = made.putArray("venues");
    venues.forEach(
        (provider, markets) ->
            groups.addObject().<ObjectNode>set("provider", provider).set("markets", markets));
    return made;
  }

  /** Venues B and C name their markets by ticker and title, the others by id and question. */
  private ObjectNode hit(JsonNode market) {
    JsonNode venue = present(at(market, "venue"), "venue");
    String word = words.neutral(venue.asText().toLowerCase(Locale.ROOT));
    ObjectNode made = UpstreamJson.record();
    made.set("provider", realNames || !venue.isTextual() ? venue : text(word));
    if (word.equals(VENUE_B) || word.equals(VENUE_C)) {
      made.set(
          "ticker",
          present(first(market, "market_ticker", "ticker", "market_id"), "market_ticker"));
      made.set("title", present(at(market, "title"), "title"));
    } else {
      made.set(
          "id",
          word(present(first(market, "condition_id", "market_id", "market_slug"), "condition_id")));
      made.set("question", present(at(market, "title"), "title"));
    }
    made.set("yes_price", fraction(market, "price"));
    made.set("volume", amount(market, "volume"));
    return made;
  }

  /** Some venues number their markets; an id is a string all the same, as in the market lists. */
  private static JsonNode word(JsonNode id) {
    return id.isNumber() ? text(id.asText()) : id;
  }
}
