package dev.octroi.services.prediction;

import static dev.octroi.services.read.UpstreamJson.amount;
import static dev.octroi.services.read.UpstreamJson.at;
import static dev.octroi.services.read.UpstreamJson.each;
import static dev.octroi.services.read.UpstreamJson.figure;
import static dev.octroi.services.read.UpstreamJson.fraction;
import static dev.octroi.services.read.UpstreamJson.list;
import static dev.octroi.services.read.UpstreamJson.text;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.octroi.services.read.Arguments;
import dev.octroi.services.read.UpstreamJson;
import dev.octroi.services.read.UpstreamTarget;
import dev.octroi.services.read.VendorRequests;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** The wallet summary and the leaderboard (specification, prediction records). */
final class WalletRecords {

  /** The vendor's windows as the specification's periods, where they differ. */
  private static final Map<String, String> PERIODS = Map.of("1d", "24h", "all_time", "all");

  /** The summary shows open positions, as many as one page holds, the largest first. */
  private static final Map<String, List<String>> LARGEST_OPEN =
      Map.of(
          "include_closed", List.of("false"),
          "sort_by", List.of("value"),
          "order", List.of("desc"),
          "limit", List.of("100"));

  private WalletRecords() {}

  /**
   * The wallet summary. The vendor splits it: its wallet has the lifetime figures, its open
   * positions are another read.
   */
  static CompletableFuture<JsonNode> summary(
      Arguments arguments, UpstreamTarget first, VendorRequests vendor) {
    return vendor
        .ask(first)
        .thenCompose(
            wallet ->
                vendor
                    .askOr(positions(first), VendorErrors::saysUnknown, noPositions())
                    .thenApply(positions -> summary(wallet, positions)));
  }

  private static UpstreamTarget positions(UpstreamTarget wallet) {
    return new UpstreamTarget("/venue-a/wallet/positions/{wallet}", wallet.path(), LARGEST_OPEN);
  }

  /** Of a wallet that the vendor has never seen hold any. */
  private static JsonNode noPositions() {
    ObjectNode none = UpstreamJson.record();
    none.putArray("positions");
    return none;
  }

  private static JsonNode summary(JsonNode wallet, JsonNode positions) {
    var made = UpstreamJson.record();
    made.set("address", at(wallet, "user"));
    made.set("positions", each(list(positions, "positions"), WalletRecords::position));
    made.set("total_value", amount(positions, "summary", "total_value_usd"));
    made.set("realized_pnl", figure(wallet, "metrics", "all_time", "realized_pnl"));
    made.set("open_positions", amount(wallet, "metrics", "all_time", "active_positions"));
    return made;
  }

  /**
   * {@code { traders, period }}, and the vendor's cursor to the next page.
   *
   * <p>The vendor's leaderboard knows the realised profit only, so that is {@code pnl}.
   */
  static JsonNode leaderboard(JsonNode vendor) {
    JsonNode window = at(vendor, "window");
    String period = PERIODS.getOrDefault(window.asText(), window.asText());
    var made = UpstreamJson.record();
    made.set("traders", each(list(vendor, "entries"), WalletRecords::trader));
    made.set("period", window.isTextual() ? text(period) : window);
    made.set("pagination_key", at(vendor, "pagination", "pagination_key"));
    return made;
  }

  private static JsonNode position(JsonNode entry) {
    JsonNode side = at(entry, "market", "side");
    var made = UpstreamJson.record();
    made.set("market_id", at(entry, "market", "condition_id"));
    made.set("question", at(entry, "market", "title"));
    made.set("side", side.isTextual() ? text(side.asText().toLowerCase(Locale.ROOT)) : side);
    made.set("shares", amount(entry, "position", "shares"));
    made.set("avg_price", fraction(entry, "position", "avg_entry_price"));
    made.set("current_price", fraction(entry, "current", "price"));
    made.set("unrealized_pnl", figure(entry, "pnl", "unrealized_usd"));
    return made;
  }

  private static JsonNode trader(JsonNode entry) {
    var made = UpstreamJson.record();
    made.set("address", at(entry, "user"));
    made.set("pnl", figure(entry, "metrics", "realized_pnl"));
    made.set("volume", amount(entry, "metrics", "volume"));
    made.set("win_rate", fraction(entry, "metrics", "win_rate"));
    made.set("trades", amount(entry, "metrics", "trades"));
    return made;
  }
}
