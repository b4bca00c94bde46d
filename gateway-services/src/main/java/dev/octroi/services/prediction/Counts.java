package dev.octroi.services.prediction;

import static dev.octroi.services.read.UpstreamJson.at;
import static dev.octroi.services.read.UpstreamJson.record;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.octroi.services.read.Arguments;
import dev.octroi.services.read.UpstreamTarget;
import dev.octroi.services.read.VendorRequests;
import dev.octroi.services.upstream.Failures;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/**
 * Rows that tell how many markets and events of venue A there are, which the vendor's lists say.
 */
final class Counts {

  /** The categories of parameter rule 1. */
  static final List<String> CATEGORIES =
      List.of("politics", "crypto", "sports", "science", "culture", "business", "tech");

  private static final String MARKETS = "/venue-a/markets";
  private static final String EVENTS = "/venue-a/events";

  private Counts() {}

  /** {@code { categories: [{ category, markets }] }}. */
  static CompletableFuture<JsonNode> categories(
      Arguments arguments, UpstreamTarget first, VendorRequests vendor) {
    List<CompletableFuture<Integer>> counts =
        CATEGORIES.stream()
            .map(category -> count(vendor, MARKETS, Map.of("tags", category, "status", "open")))
            .toList();
    return all(counts)
        .thenApply(
            done -> {
              ObjectNode made = record();
              var categories = made.putArray("categories");
              for (int at = 0; at < CATEGORIES.size(); at++) {
                categories
                    .addObject()
                    .put("category", CATEGORIES.get(at))
                    .put("markets", counts.get(at).join());
              }
              return made;
            });
  }

  /** Markets and events, of which so many are open. */
  static CompletableFuture<JsonNode> stats(
      Arguments arguments, UpstreamTarget first, VendorRequests vendor) {
    var openMarkets = count(vendor, MARKETS, Map.of("status", "open"));
    var closedMarkets = count(vendor, MARKETS, Map.of("status", "closed"));
    var openEvents = count(vendor, EVENTS, Map.of("status", "open"));
    var closedEvents = count(vendor, EVENTS, Map.of("status", "closed"));
    return all(List.of(openMarkets, closedMarkets, openEvents, closedEvents))
        .thenApply(
            done ->
                record()
                    .put("markets", openMarkets.join() + closedMarkets.join())
                    .put("open_markets", openMarkets.join())
                    .put("closed_markets", closedMarkets.join())
                    .put("events", openEvents.join() + closedEvents.join())
                    .put("open_events", openEvents.join())
                    .put("closed_events", closedEvents.join()));
  }

  private static CompletableFuture<Integer> count(
      VendorRequests vendor, String path, Map<String, String> filter) {
    UpstreamTarget one = UpstreamTarget.at(path, Map.of("limit", List.of("1")));
    for (Map.Entry<String, String> each : filter.entrySet()) {
      one = one.with(each.getKey(), each.getValue());
    }
    return vendor.ask(one).thenApply(Counts::total);
  }

  /** How many elements the whole list has of which this is a page. */
  static int total(JsonNode page) {
    JsonNode total = at(page, "pagination", "total");
    Failures.require(
        total.canConvertToInt() && total.isIntegralNumber(), "pagination.total is no count");
    return total.intValue();
  }

  private static CompletableFuture<Void> all(List<? extends CompletableFuture<?>> futures) {
    return CompletableFuture.allOf(futures.toArray(CompletableFuture[]::new));
  }
}
