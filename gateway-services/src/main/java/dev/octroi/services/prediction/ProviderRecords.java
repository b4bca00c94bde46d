package dev.octroi.services.prediction;

import static dev.octroi.services.read.UpstreamJson.at;
import static dev.octroi.services.read.UpstreamJson.each;
import static dev.octroi.services.read.UpstreamJson.first;
import static dev.octroi.services.read.UpstreamJson.list;
import static dev.octroi.services.read.UpstreamJson.number;
import static dev.octroi.services.read.UpstreamJson.text;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import dev.octroi.services.read.UpstreamJson;
import dev.octroi.services.upstream.VenueWords;
import java.util.Locale;

/**
 * The records that speak of several venues: search hits and arbitrage entries (specification,
 * prediction records). Prices are decimals for both venues, so that they compare.
 */
final class ProviderRecords {

  private static final String VENUE_A = "venue-a";
  private static final String VENUE_B = "venue-b";
  private static final String VENUE_C = "venue-c";

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

  /** {@code { opportunities }}. */
  JsonNode arbitrage(JsonNode vendor) {
    JsonNode rows = list(vendor, vendor.has("opportunities") ? "opportunities" : "pairs");
    var made = UpstreamJson.record();
    made.set("opportunities", each(rows, this::opportunity));
    return made;
  }

  /** Venues B and C name their markets by ticker and title, the others by id and question. */
  private JsonNode hit(JsonNode market) {
    JsonNode venue = at(market, "venue");
    String word = words.neutral(venue.asText().toLowerCase(Locale.ROOT));
    var made = UpstreamJson.record();
    made.set("provider", realNames || !venue.isTextual() ? venue : text(word));
    if (word.equals(VENUE_B) || word.equals(VENUE_C)) {
      made.set("ticker", first(market, "market_ticker", "ticker", "market_id"));
      made.set("title", at(market, "title"));
    } else {
      made.set("id", word(first(market, "condition_id", "market_id", "market_slug")));
      made.set("question", at(market, "title"));
    }
    made.set("yes_price", at(market, "price"));
    made.set("volume", at(market, "volume"));
    return made;
  }

  /** Some venues number their markets; an id is a string all the same, as in the market lists. */
  private static JsonNode word(JsonNode id) {
    return id.isNumber() ? text(id.asText()) : id;
  }

  /** The vendor sets the two markets side by side, each under its venue's name. */
  private JsonNode opportunity(JsonNode pair) {
    JsonNode a = side(pair, VENUE_A);
    JsonNode b = side(pair, VENUE_B);
    JsonNode yesOfA = first(a, "yes_price", "price");
    JsonNode yesOfB = first(b, "yes_price", "price");
    var made = UpstreamJson.record();
    made.set("topic", pair.hasNonNull("topic") ? at(pair, "topic") : at(a, "title"));
    made.set("venue_a_yes", yesOfA);
    made.set("venue_b_yes", yesOfB);
    made.set("spread", pair.hasNonNull("spread") ? at(pair, "spread") : spread(yesOfA, yesOfB));
    made.set("venue_a_id", first(a, "condition_id", "market_id"));
    made.set("venue_b_ticker", first(b, "market_ticker", "ticker"));
    return made;
  }

  private JsonNode side(JsonNode pair, String venue) {
    String name = words.real(venue);
    return first(pair, name.toUpperCase(Locale.ROOT), name);
  }

  private static JsonNode spread(JsonNode a, JsonNode b) {
    return a.isNumber() && b.isNumber()
        ? number(a.decimalValue().subtract(b.decimalValue()).abs())
        : NullNode.getInstance();
  }
}
