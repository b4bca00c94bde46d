package dev.octroi.services.prediction;

import com.fasterxml.jackson.databind.JsonNode;
import dev.octroi.services.Answer;
import dev.octroi.services.ErrorCode;
import dev.octroi.services.Failure;
import dev.octroi.services.read.UpstreamJson;
import dev.octroi.services.upstream.Failures;
import dev.octroi.services.upstream.UpstreamAnswer;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * What becomes of the vendor's errors: {@code market_not_found} and {@code market_closed} are the
 * gateway's words, every other 4xx passes with its own shape and status, and an upstream's own
 * trouble is 502 or 503 (specification, errors; decisions, prediction errors).
 */
final class VendorErrors {

  private static final int NOT_FOUND = 404;
  private static final int SERVER_ERROR = 500;

  /** A path parameter that names one market, or the token or game that stands for it. */
  private static final Set<String> MARKET_NAMES =
      Set.of("condition_id", "token_id", "id", "ticker", "game_id", "predexon_id");

  /** How the vendor's own code says that a market has ended. */
  private static final Set<String> CLOSED =
      Set.of("market_closed", "market_is_closed", "market_resolved", "market_already_resolved");

  private static final Pattern WORD_GAPS = Pattern.compile("[^a-z0-9]+");

  private VendorErrors() {}

  static Answer answer(PredictionRead row, UpstreamAnswer upstream) {
    if (upstream.status() >= SERVER_ERROR) {
      throw Failures.of(upstream);
    }
    JsonNode body = UpstreamJson.tree(upstream.body());
    if (saysClosed(body)) {
      throw new Failure(ErrorCode.MARKET_CLOSED, "The market is resolved");
    }
    if (!body.isObject() || (upstream.status() == NOT_FOUND && !isVendors(body))) {
      // It comes from something on the way, or says that the path is none: 502.
      throw Failures.unreadable("its error is not the vendor's");
    }
    if (namesOneMarket(row) && upstream.status() == NOT_FOUND) {
      throw Projections.unknown();
    }
    // It is JSON, whatever it is called: as a page it would be one of ours.
    return new Answer(
        upstream.status(), "application/json", upstream.body(), limits(upstream), false);
  }

  /** Whether the vendor says that what was named does not exist. */
  static boolean saysUnknown(UpstreamAnswer upstream) {
    JsonNode body = UpstreamJson.tree(upstream.body());
    return upstream.status() == NOT_FOUND && isVendors(body);
  }

  /** What a caller is told who named wallets of which the vendor has no identity. */
  static Failure notFound() {
    return new Failure(ErrorCode.NOT_FOUND, "No identity is known of what is named");
  }

  private static boolean namesOneMarket(PredictionRead row) {
    return MARKET_NAMES.stream().anyMatch(name -> (row.path() + "/").contains("/:" + name + "/"));
  }

  /** The vendor's words of what is not there stand in an object; no other server's do. */
  private static boolean isVendors(JsonNode body) {
    return Stream.of("error", "message")
        .anyMatch(member -> !body.path("detail").path(member).asText().isBlank());
  }

  private static boolean saysClosed(JsonNode body) {
    JsonNode detail = body.path("detail");
    return closed(detail.path("error")) || closed(detail) || closed(body.path("error"));
  }

  private static boolean closed(JsonNode code) {
    String words = WORD_GAPS.matcher(code.asText().toLowerCase(Locale.ROOT)).replaceAll("_");
    return CLOSED.contains(words);
  }

  /** The headers by which a vendor that refuses for its rate limits says how long to wait. */
  private static Map<String, String> limits(UpstreamAnswer upstream) {
    Map<String, String> kept = new LinkedHashMap<>();
    upstream.header("retry-after").ifPresent(value -> kept.put("Retry-After", value));
    for (String name : new String[] {"RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset"}) {
      upstream.header(name).ifPresent(value -> kept.put(name, value));
    }
    return kept;
  }
}
