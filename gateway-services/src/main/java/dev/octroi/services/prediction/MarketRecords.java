package dev.octroi.services.prediction;

import static dev.octroi.services.read.UpstreamJson.amount;
import static dev.octroi.services.read.UpstreamJson.at;
import static dev.octroi.services.read.UpstreamJson.each;
import static dev.octroi.services.read.UpstreamJson.fraction;
import static dev.octroi.services.read.UpstreamJson.list;
import static dev.octroi.services.read.UpstreamJson.number;
import static dev.octroi.services.read.UpstreamJson.present;
import static dev.octroi.services.read.UpstreamJson.text;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import dev.octroi.services.read.UpstreamJson;
import java.math.BigDecimal;
import java.util.Locale;

/** The market lists of venues A and B, made of the vendor's (specification, prediction records). */
final class MarketRecords {

  private static final BigDecimal HUNDRED = BigDecimal.valueOf(100);
  private static final int ISO_DATE = "2026-12-31".length();

  private MarketRecords() {}

  /** {@code { markets, total }} of venue A: prices are decimals from 0 to 1. */
  static JsonNode venueA(JsonNode vendor) {
    var made = UpstreamJson.record();
    made.set("markets", each(list(vendor, "markets"), MarketRecords::marketOfA));
    made.set("total", at(vendor, "pagination", "total"));
    return made;
  }

  /**
   * {@code { markets, total }} of venue B: prices are cents from 0 to 100. The vendor pages by
   * cursor and knows no total, except on a last page that is also the first; so its cursor stays in
   * the envelope, or the caller could not turn the page.
   *
   * @param firstPage whether the list was asked for from its start
   */
  static JsonNode venueB(JsonNode vendor, boolean firstPage) {
    JsonNode markets = list(vendor, "markets");
    JsonNode total = at(vendor, "pagination", "total");
    JsonNode more = at(vendor, "pagination", "has_more");
    if (total.isNull() && firstPage && more.isBoolean() && !more.booleanValue()) {
      total = number(BigDecimal.valueOf(markets.size()));
    }
    var made = UpstreamJson.record();
    made.set("markets", each(markets, MarketRecords::marketOfB));
    made.set("total", total);
    made.set("pagination_key", at(vendor, "pagination", "pagination_key"));
    return made;
  }

  private static JsonNode marketOfA(JsonNode market) {
    var made = UpstreamJson.record();
    made.set("id", present(at(market, "condition_id"), "condition_id"));
    made.set("question", present(at(market, "title"), "title"));
    made.set("yes_price", fraction(outcome(market, "yes", 0), "price"));
    made.set("no_price", fraction(outcome(market, "no", 1), "price"));
    made.set("volume", amount(market, "total_volume_usd"));
    made.set("liquidity", amount(market, "liquidity_usd"));
    made.set("end_date", date(at(market, "end_time")));
    made.set("category", category(at(market, "tags")));
    made.set("created_at", at(market, "created_time"));
    return made;
  }

  /**
   * The vendor quotes the last trade of the yes side. Both sides of a binary contract pay 100 cents
   * together, so the other side is the difference; the vendor's bids and asks are offers, not
   * prices.
   */
  private static JsonNode marketOfB(JsonNode market) {
    JsonNode last = fraction(market, "last_price");
    BigDecimal yes = last.isNumber() ? cents(last.decimalValue()) : null;
    var made = UpstreamJson.record();
    made.set("ticker", present(at(market, "ticker"), "ticker"));
    made.set("title", present(at(market, "title"), "title"));
    made.set("yes_price", yes == null ? NullNode.getInstance() : number(yes));
    made.set("no_price", yes == null ? NullNode.getInstance() : number(HUNDRED.subtract(yes)));
    made.set("volume", amount(market, "volume"));
    made.set("close_time", at(market, "close_time"));
    // The vendor's markets of this venue have no category.
    made.set("category", at(market, "category"));
    return made;
  }

  private static BigDecimal cents(BigDecimal decimal) {
    BigDecimal cents = decimal.movePointRight(2).stripTrailingZeros();
    return cents.scale() < 0 ? cents.setScale(0) : cents;
  }

  /**
   * The outcome with this label; of two that are named otherwise (two teams), the one in its place,
   * as the vendor lists the yes side first.
   */
  static JsonNode outcome(JsonNode market, String label, int place) {
    JsonNode outcomes = market.path("outcomes");
    for (JsonNode outcome : outcomes) {
      if (label.equalsIgnoreCase(outcome.path("label").asText())) {
        return outcome;
      }
    }
    return outcomes.size() == 2 ? outcomes.path(place) : NullNode.getInstance();
  }

  private static JsonNode date(JsonNode time) {
    String value = time.asText();
    return time.isTextual() && value.length() > ISO_DATE
        ? text(value.substring(0, ISO_DATE))
        : time;
  }

  /** The vendor has tags; the first that is a category of the specification. */
  private static JsonNode category(JsonNode tags) {
    for (JsonNode tag : tags) {
      String word = tag.asText().toLowerCase(Locale.ROOT);
      if (Counts.CATEGORIES.contains(word)) {
        return text(word);
      }
    }
    return NullNode.getInstance();
  }
}
