package dev.octroi.services.prediction;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.octroi.services.prediction.ListVendor.Asked;
import dev.octroi.services.prediction.ListVendor.Said;
import dev.octroi.services.read.UpstreamJson;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A small world of lists, which the prediction vendor filters, sorts and turns as its contract
 * says.
 */
final class World {

  private final Map<String, List<JsonNode>> lists = new LinkedHashMap<>();
  private int failing = -1;
  private Said failure = Said.ok("");
  private int asked;
  private @Nullable Said always;

  /** Adds an element to a list of the vendor's: {@code /venue-a/markets}, under its own words. */
  World with(String path, String json) {
    lists
        .computeIfAbsent(Vendor.WORDS.in(path), list -> new ArrayList<>())
        .add(UpstreamJson.tree(json.getBytes(java.nio.charset.StandardCharsets.UTF_8)));
    return this;
  }

  /** The request of this number, from 0, is answered so. */
  World failing(int number, int status, String body) {
    failing = number;
    failure = new Said(status, body);
    return this;
  }

  /** Every request is answered so. */
  World saying(String body) {
    always = Said.ok(body);
    return this;
  }

  synchronized Said answer(Asked request) {
    if (always != null) {
      return always;
    }
    if (asked++ == failing) {
      return failure;
    }
    String path = request.path();
    String own = "/" + path.split("/", -1)[1];
    if (path.endsWith("/markets") && own.equals("/alphaex")) {
      return byOffset("markets", filtered(path, request), request);
    }
    if (path.endsWith("/events")) {
      return byOffset("events", filtered(path, request), request);
    }
    if (path.equals("/matching-markets/pairs")) {
      return byCursor("pairs", filtered(path, request), request);
    }
    if (path.endsWith("/trades")) {
      return byCursor("trades", filtered(path, request), request);
    }
    if (path.endsWith("/markets")) {
      return byCursor("markets", filtered(path, request), request);
    }
    List<JsonNode> whole = lists.getOrDefault(path, List.of());
    return whole.isEmpty()
        ? new Said(404, "{\"detail\":{\"error\":\"not_found\",\"message\":\"There is none\"}}")
        : Said.ok(whole.get(0).toString());
  }

  private List<JsonNode> filtered(String path, Asked request) {
    Stream<JsonNode> elements = lists.getOrDefault(path, List.of()).stream();
    for (String name :
        List.of(
            "condition_id",
            "ticker",
            "event_slug",
            "slug",
            "status",
            "wallet",
            "market_slug",
            "market_id")) {
      elements = elements.filter(in(name, request.values(name)));
    }
    elements = elements.filter(each -> isWithin(each.path("created_time"), request));
    List<String> tags = request.values("tags");
    elements =
        elements.filter(
            each ->
                tags.isEmpty()
                    || each.path("tags")
                        .valueStream()
                        .anyMatch(tag -> tags.contains(tag.asText())));
    List<JsonNode> all = new ArrayList<>(elements.toList());
    if (request.value("sort").filter("created_asc"::equals).isPresent()) {
      all.sort(Comparator.comparing(each -> each.path("created_time").asText()));
    }
    return all;
  }

  private static boolean isWithin(JsonNode time, Asked request) {
    return !time.isNumber()
        || (time.asLong() >= request.value("start_time").map(Long::valueOf).orElse(0L)
            && time.asLong()
                <= request.value("end_time").map(Long::valueOf).orElse(Long.MAX_VALUE));
  }

  private static Predicate<JsonNode> in(String name, List<String> wanted) {
    return element -> wanted.isEmpty() || wanted.contains(element.path(name).asText());
  }

  private static Said byOffset(String name, List<JsonNode> all, Asked request) {
    int limit = request.value("limit").map(Integer::valueOf).orElse(20);
    int offset = request.value("offset").map(Integer::valueOf).orElse(0);
    ObjectNode body = page(name, all, offset, limit);
    body.putObject("pagination")
        .put("limit", limit)
        .put("offset", offset)
        .put("total", all.size())
        .put("has_more", offset + limit < all.size());
    return Said.ok(body.toString());
  }

  private static Said byCursor(String name, List<JsonNode> all, Asked request) {
    int limit = request.value("limit").map(Integer::valueOf).orElse(100);
    int from =
        request
            .value("pagination_key")
            .map(key -> key.substring(4))
            .map(Integer::valueOf)
            .orElse(0);
    ObjectNode body = page(name, all, from, limit);
    boolean more = from + limit < all.size();
    body.putObject("pagination")
        .put("limit", limit)
        .put("has_more", more)
        .put("pagination_key", more ? "from" + (from + limit) : null);
    return Said.ok(body.toString());
  }

  private static ObjectNode page(String name, List<JsonNode> all, int from, int limit) {
    ObjectNode body = UpstreamJson.record();
    ArrayNode elements = body.putArray(name);
    all.stream().skip(from).limit(limit).forEach(elements::add);
    return body;
  }
}
