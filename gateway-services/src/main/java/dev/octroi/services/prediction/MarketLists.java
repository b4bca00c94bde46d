package dev.octroi.services.prediction;

import static dev.octroi.services.read.UpstreamJson.amount;
import static dev.octroi.services.read.UpstreamJson.at;
import static dev.octroi.services.read.UpstreamJson.list;
import static dev.octroi.services.read.UpstreamJson.record;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.octroi.services.ErrorCode;
import dev.octroi.services.Failure;
import dev.octroi.services.read.Arguments;
import dev.octroi.services.read.UpstreamTarget;
import dev.octroi.services.read.VendorRequests;
import dev.octroi.services.upstream.Failures;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/**
 * Lists that the vendor has in another order, from another place on, or as part of another list.
 * Each is whole where it says so: nothing is sorted or left out within one page.
 */
final class MarketLists {

  /** Markets of one page of the vendor's. */
  static final int PAGE = 100;

  /** Markets of venue B that are skipped at most. */
  static final int MOST_SKIPPED = 1000;

  /** Pages of venue B that one call turns at most. */
  static final int MOST_PAGES = MOST_SKIPPED / PAGE + 1;

  private static final int MOST_SORTED = 500;

  private MarketLists() {}

  /** A page of the list of venue A by liquidity, the most liquid first; of the vendor's form. */
  static CompletableFuture<JsonNode> byLiquidity(
      Arguments arguments, UpstreamTarget first, VendorRequests vendor) {
    return pageOf(first, vendor, 0)
        .thenCompose(
            page -> {
              int total = Counts.total(page);
              if (total > MOST_SORTED) {
                throw new Failure(
                    ErrorCode.INVALID_PARAMS,
                    "sort: by liquidity, at most "
                        + MOST_SORTED
                        + " markets are sorted, and "
                        + total
                        + " fit; narrow them by category, search, event_slug, status or min_volume");
              }
              CompletableFuture<List<JsonNode>> all =
                  CompletableFuture.completedFuture(elements(page));
              for (int offset = PAGE; offset < total; offset += PAGE) {
                all = all.thenCombine(pageOf(first, vendor, offset), MarketLists::joinedWhole);
              }
              return all;
            })
        .thenApply(all -> sorted(all, integer(arguments, "offset"), integer(arguments, "limit")));
  }

  private static CompletableFuture<JsonNode> pageOf(
      UpstreamTarget list, VendorRequests vendor, int offset) {
    return vendor.ask(
        list.with("limit", Integer.toString(PAGE)).with("offset", Integer.toString(offset)));
  }

  private static List<JsonNode> elements(JsonNode page) {
    List<JsonNode> elements = new ArrayList<>();
    list(page, "markets").forEach(elements::add);
    return elements;
  }

  private static List<JsonNode> joined(List<JsonNode> before, JsonNode page) {
    before.addAll(elements(page));
    return before;
  }

  /** A page behind another that is not full is not where it was asked for. */
  private static List<JsonNode> joinedWhole(List<JsonNode> before, JsonNode page) {
    Failures.require(before.size() % PAGE == 0, "a page between others is not full");
    return joined(before, page);
  }

  /** A market that stands on two pages has taken the place of another. */
  private static JsonNode sorted(List<JsonNode> all, int offset, int limit) {
    if (all.stream().map(market -> market.path("condition_id")).distinct().count() < all.size()) {
      throw Failures.unreadable("a market stands on two pages");
    }
    all.sort(
        Comparator.comparing((JsonNode market) -> amount(market, "liquidity_usd").decimalValue())
            .reversed());
    ObjectNode made = record();
    ArrayNode markets = made.putArray("markets");
    all.stream().skip(offset).limit(limit).forEach(markets::add);
    made.putObject("pagination")
        .put("limit", limit)
        .put("offset", offset)
        .put("total", all.size())
        .put("has_more", offset + markets.size() < all.size());
    return made;
  }

  /** A page of venue B that the vendor's pages are turned for; of the vendor's form. */
  static CompletableFuture<JsonNode> ofVenueB(
      Arguments arguments, UpstreamTarget first, VendorRequests vendor) {
    int limit = integer(arguments, "limit");
    return isSettled(arguments)
        ? settled(first, vendor, limit, MOST_PAGES, record().putArray("markets"))
        : skipped(first, vendor, integer(arguments, "offset"), limit);
  }

  /** Whether only markets with a result are asked for, which the vendor lists among the closed. */
  static boolean isSettled(Arguments arguments) {
    return arguments.value("status").filter("settled"::equals).isPresent();
  }

  /**
   * The closed markets that have a result. Each page is asked for no more than are wanted, so the
   * vendor's cursor never passes one that would have been the caller's. After the last page that
   * may be asked for, the list is short and its cursor goes on.
   */
  private static CompletableFuture<JsonNode> settled(
      UpstreamTarget page, VendorRequests vendor, int limit, int pages, ArrayNode found) {
    return vendor
        .ask(page.with("limit", Integer.toString(limit - found.size())))
        .thenCompose(
            body -> {
              elements(body).stream()
                  .filter(market -> !market.path("result").asText("").isEmpty())
                  .forEach(found::add);
              boolean more = at(body, "pagination", "has_more").asBoolean();
              JsonNode cursor = at(body, "pagination", "pagination_key");
              if (found.size() >= limit || !more || pages == 1) {
                return CompletableFuture.completedFuture(listed(found, limit, more, cursor));
              }
              return settled(after(page, cursor), vendor, limit, pages - 1, found);
            });
  }

  private static JsonNode listed(ArrayNode markets, int limit, boolean more, JsonNode cursor) {
    ObjectNode made = record();
    made.set("markets", markets);
    made.putObject("pagination")
        .put("limit", limit)
        .put("count", markets.size())
        .put("has_more", more)
        .set("pagination_key", cursor);
    return made;
  }

  private static CompletableFuture<JsonNode> skipped(
      UpstreamTarget page, VendorRequests vendor, int left, int limit) {
    if (left == 0) {
      return vendor.ask(page.with("limit", Integer.toString(limit)));
    }
    int next = Math.min(left, PAGE);
    return vendor
        .ask(page.with("limit", Integer.toString(next)))
        .thenCompose(
            body -> {
              int skipped = list(body, "markets").size();
              JsonNode cursor = at(body, "pagination", "pagination_key");
              if (!at(body, "pagination", "has_more").asBoolean()) {
                return CompletableFuture.completedFuture(beyond(body));
              }
              Failures.require(skipped == next, "a page between others is not full");
              return skipped(after(page, cursor), vendor, left - next, limit);
            });
  }

  /**
   * The page that a cursor goes on to.
   *
   * @throws Failure 502 for a cursor that leads nowhere, or to where it is
   */
  static UpstreamTarget after(UpstreamTarget page, JsonNode cursor) {
    List<String> here = page.query().getOrDefault("pagination_key", List.of());
    Failures.require(
        cursor.isTextual() && !here.contains(cursor.textValue()), "pagination_key leads nowhere");
    return page.with("pagination_key", cursor.textValue());
  }

  /** The page after the last one. */
  private static JsonNode beyond(JsonNode last) {
    ObjectNode made = record();
    made.putArray("markets");
    made.set("pagination", at(last, "pagination"));
    return made;
  }

  /** {@code { condition_id, event_slug, related }}: the event's markets but for the named one. */
  static CompletableFuture<JsonNode> related(
      Arguments arguments, UpstreamTarget first, VendorRequests vendor) {
    int limit = integer(arguments, "limit");
    return vendor
        .ask(first.with("limit", "1"))
        .thenApply(body -> Projections.one("markets", "condition_id").of(arguments, body))
        .thenCompose(market -> siblings(market, limit, vendor));
  }

  private static CompletableFuture<JsonNode> siblings(
      JsonNode market, int limit, VendorRequests vendor) {
    ObjectNode made = record();
    made.set("condition_id", at(market, "condition_id"));
    made.set("event_slug", at(market, "event_slug"));
    ArrayNode related = made.putArray("related");
    if (!market.hasNonNull("event_slug")) {
      return CompletableFuture.completedFuture(made);
    }
    UpstreamTarget event =
        UpstreamTarget.at(
            "/venue-a/markets", Map.of("event_slug", List.of(market.path("event_slug").asText())));
    CompletableFuture<List<JsonNode>> all =
        vendor
            .ask(event.with("limit", Integer.toString(Math.min(limit + 1, PAGE))))
            .thenApply(MarketLists::elements);
    if (limit == PAGE) {
      all =
          all.thenCombine(
              vendor.ask(event.with("limit", "1").with("offset", Integer.toString(PAGE))),
              MarketLists::joined);
    }
    return all.thenApply(
        markets -> {
          markets.stream()
              .filter(each -> !each.path("condition_id").equals(market.path("condition_id")))
              .limit(limit)
              .forEach(related::add);
          return made;
        });
  }

  private static int integer(Arguments arguments, String name) {
    return Integer.parseInt(arguments.value(name).orElseThrow());
  }
}
