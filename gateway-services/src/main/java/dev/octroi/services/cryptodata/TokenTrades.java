package dev.octroi.services.cryptodata;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.octroi.services.read.Arguments;
import dev.octroi.services.read.UpstreamJson;
import dev.octroi.services.read.UpstreamTarget;
import dev.octroi.services.read.VendorRequests;
import dev.octroi.services.upstream.Failures;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;

/** How far back a caller looks at the trades and transfers of a token. */
final class TokenTrades {

  static final String[] INTERVALS = {"1h", "4h", "12h", "24h", "1d", "7d", "30d", "90d"};

  private TokenTrades() {}

  /** Of the vendor's latest trades, those within the interval. */
  static CompletableFuture<JsonNode> within(
      Arguments arguments, UpstreamTarget first, VendorRequests vendor) {
    long from = from(arguments.value("interval").orElseThrow(), vendor.now()).getEpochSecond();
    return vendor.ask(first).thenApply(body -> since(body, from));
  }

  private static JsonNode since(JsonNode body, long from) {
    JsonNode trades = UpstreamJson.listOrNull(body, "data");
    ObjectNode made = body.deepCopy();
    ArrayNode within = made.putArray("data");
    for (JsonNode trade : trades) {
      JsonNode time = trade.path("block_time");
      Failures.require(time.isIntegralNumber(), "block_time is no whole number");
      if (time.longValue() >= from) {
        within.add(trade);
      }
    }
    if (within.size() < trades.size()) {
      ended(made.path("meta"));
    }
    return made;
  }

  /** What is left out ends the list: what the vendor says of more is not of this one. */
  private static void ended(JsonNode meta) {
    if (meta.has("has_more")) {
      ((ObjectNode) meta).put("has_more", false);
    }
    if (meta.has("total")) {
      ((ObjectNode) meta).putNull("total");
    }
  }

  /** When an interval that ends now began. */
  static Instant from(String interval, Instant now) {
    long count = Long.parseLong(interval.substring(0, interval.length() - 1));
    return now.minus(interval.endsWith("h") ? Duration.ofHours(count) : Duration.ofDays(count));
  }
}
