package dev.octroi.sandbox.prediction;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.octroi.sandbox.formula.Builtin;
import dev.octroi.sandbox.formula.Call;
import dev.octroi.sandbox.formula.Formulas;
import dev.octroi.sandbox.formula.Refusal;
import dev.octroi.sandbox.formula.Row;
import dev.octroi.sandbox.vendor.SandboxAnswer;
import dev.octroi.sandbox.vendor.SandboxRequest;
import dev.octroi.sandbox.vendor.SandboxVendor;
import dev.octroi.sandbox.world.World;
import java.io.IOException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The prediction vendor: markets, prices, trades, wallets, games and oracle questions of several
 * venues. {@code docs/prediction.md} lists the identifiers that stand for an error. Thread-safe.
 */
public final class PredictionVendor implements SandboxVendor {

  /** Where the sandbox serves it. */
  public static final String MOUNT = "prediction";

  private static final String VERSION = "/v2";

  /** A market or wallet that is always asked for too often. */
  private static final String BUSY = "0x" + "0".repeat(37) + "429";

  /** Answers within one step are alike, in seconds. */
  private static final long STEP = 5;

  private static final int MOST_ADDRESSES = 100;
  private static final int TOO_MANY = 429;

  private static final ObjectMapper JSON = new ObjectMapper();

  private final Clock clock;
  private final Formulas formulas;
  private final List<Route> routes;

  /** The clock decides the time that answers are for. */
  public PredictionVendor(Clock clock) {
    this.clock = clock;
    this.formulas =
        World.formulas(PredictionVendor::function).read(PredictionVendor.class, "answers.txt");
    this.routes = Route.all(formulas.reads());
  }

  private static @Nullable Builtin function(String name) {
    return switch (name) {
      case "body_addresses" -> in -> addresses(in.scope().call().request().body());
      case "respond" -> in -> response(in.place(0), in.row(1), in.text(2), in.text(3));
      default -> Pages.function(name);
    };
  }

  private static SandboxAnswer response(int status, Row body, String header, String value) {
    return new SandboxAnswer(status, body, Map.of(header, value));
  }

  @Override
  public String mount() {
    return MOUNT;
  }

  /** Every path that is answered, as method, space and path with its variables in braces. */
  List<String> reads() {
    return formulas.reads();
  }

  @Override
  public SandboxAnswer answer(SandboxRequest request) {
    String path = request.path();
    String below = path.startsWith(VERSION + "/") ? path.substring(VERSION.length()) : path;
    if (below.contains(BUSY) || request.query().containsValue(List.of(BUSY))) {
      return failure(TOO_MANY, "");
    }
    Route.Match match = Route.find(routes, request.method(), below).orElse(null);
    if (match == null) {
      return error(404, "Not Found", "No such path");
    }
    try {
      List<String> keys = request.query().getOrDefault("pagination_key", List.of(""));
      long now = clock.instant().getEpochSecond() / STEP * STEP;
      Call call = new Call(request, match.variables(), Pages.time(keys.get(0), now));
      Object answer = Objects.requireNonNull(formulas.answer(match.read(), call), path);
      return answer instanceof SandboxAnswer whole ? whole : SandboxAnswer.ok(answer);
    } catch (Refusal refusal) {
      return refused(refusal, match);
    }
  }

  private static SandboxAnswer refused(Refusal refusal, Route.Match match) {
    String message = String.valueOf(refusal.getMessage());
    String name = refusal.parameter();
    if (name.isEmpty()) {
      String error = refusal.status() == 404 ? message : refusal.code();
      return error(refusal.status(), error, message);
    }
    String place =
        match.read().startsWith("POST")
            ? "body"
            : match.variables().containsKey(name) ? "path" : "query";
    Row fault = Row.of("loc", List.of(place, name), "msg", message, "type", refusal.code());
    return SandboxAnswer.status(422, Row.of("detail", List.of(fault)));
  }

  @Override
  public SandboxAnswer failure(int status, String message) {
    if (status != TOO_MANY) {
      return error(status, "Status " + status, message);
    }
    Row body =
        Row.of("error", "Too Many Requests")
            .with("message", "Rate limit exceeded. Please wait before making more requests.");
    return new SandboxAnswer(
        TOO_MANY,
        body,
        Map.of("RateLimit-Limit", "20", "RateLimit-Remaining", "0", "RateLimit-Reset", "1"));
  }

  private static SandboxAnswer error(int status, String error, String message) {
    Row detail = Row.of("error", error, "message", message);
    return SandboxAnswer.status(status, Row.of("detail", detail));
  }

  private static List<String> addresses(byte[] body) {
    List<String> addresses = new ArrayList<>();
    try {
      JsonNode given = JSON.readTree(body);
      given.path("addresses").forEach(address -> addresses.add(address.asText()));
    } catch (IOException malformed) {
      throw Refusal.invalid("addresses", "json_invalid", "JSON decode error");
    }
    if (addresses.isEmpty()) {
      throw Refusal.invalid("addresses", "missing", "Field required");
    }
    if (addresses.size() > MOST_ADDRESSES) {
      String message = "List should have at most " + MOST_ADDRESSES + " items";
      throw Refusal.invalid("addresses", "too_long", message);
    }
    return addresses;
  }
}
