package dev.octroi.sandbox.prediction;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.octroi.sandbox.contract.Call;
import dev.octroi.sandbox.contract.Contract;
import dev.octroi.sandbox.contract.Violation;
import dev.octroi.sandbox.formula.Builtin;
import dev.octroi.sandbox.formula.Formulas;
import dev.octroi.sandbox.formula.Refusal;
import dev.octroi.sandbox.formula.Row;
import dev.octroi.sandbox.formula.TimedCall;
import dev.octroi.sandbox.vendor.SandboxAnswer;
import dev.octroi.sandbox.vendor.SandboxRequest;
import dev.octroi.sandbox.vendor.SandboxVendor;
import dev.octroi.sandbox.world.World;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The prediction vendor: markets, prices, trades, wallets, games and oracle questions of several
 * venues. {@code docs/prediction.md} lists the identifiers that stand for an error. Thread-safe.
 */
public final class PredictionVendor implements SandboxVendor {

  /** Where the sandbox serves it. */
  public static final String MOUNT = "prediction";

  private static final Contract CONTRACT = Contract.of("prediction.txt", "prediction-beyond.txt");

  /** A market or wallet that is always asked for too often. */
  private static final String BUSY = "0x" + "0".repeat(37) + "429";

  /** Answers within one step are alike, in seconds. */
  private static final long STEP = 5;

  private static final int TOO_MANY = 429;

  private static final SandboxAnswer NO_PATH =
      SandboxAnswer.status(404, Row.of("detail", "Not Found"));

  private static final ObjectMapper JSON = new ObjectMapper();

  private final Clock clock;
  private final Formulas formulas;
  private final Set<String> reads;

  /** The clock decides the time that answers are for. */
  public PredictionVendor(Clock clock) {
    this.clock = clock;
    this.formulas =
        World.formulas(PredictionVendor::function).read(PredictionVendor.class, "answers.txt");
    this.reads = Set.copyOf(formulas.reads());
  }

  private static @Nullable Builtin function(String name) {
    return switch (name) {
      case "body_addresses" -> in -> addresses(in.scope().call().body());
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

  @Override
  public Contract contract() {
    return CONTRACT;
  }

  /** Every operation that is answered, as method, space and path. */
  Set<String> operations() {
    return reads;
  }

  @Override
  public SandboxAnswer answer(SandboxRequest request) {
    if (request.path().contains(BUSY) || request.query().containsValue(List.of(BUSY))) {
      return failure(TOO_MANY, "");
    }
    String read = request.call().operation();
    if (!reads.contains(read)) {
      return NO_PATH;
    }
    try {
      long now = clock.instant().getEpochSecond() / STEP * STEP;
      TimedCall call = TimedCall.of(request, Pages.time(request.call().query(), now));
      Object answer = Objects.requireNonNull(formulas.answer(read, call), read);
      return answer instanceof SandboxAnswer whole ? whole : SandboxAnswer.ok(answer);
    } catch (Refusal refusal) {
      return refused(refusal, request.call());
    }
  }

  private static SandboxAnswer refused(Refusal refusal, Call call) {
    String message = String.valueOf(refusal.getMessage());
    String name = refusal.parameter();
    if (name.isEmpty()) {
      String error = refusal.status() == 404 ? message : refusal.code();
      return error(refusal.status(), error, message);
    }
    return invalid(call.path().containsKey(name) ? "path" : "query", name, message, refusal.code());
  }

  @Override
  public SandboxAnswer refusal(Violation violation) {
    boolean ofAll = violation.kind() == Violation.Kind.MISSING && violation.name().isEmpty();
    return switch (violation.kind()) {
      case UNAUTHORIZED -> error(401, "Unauthorized", violation.message());
      case NO_PATH -> NO_PATH;
      case NO_METHOD -> SandboxAnswer.status(405, Row.of("detail", "Method Not Allowed"));
      case COMBINATION -> error(400, "Invalid parameters", violation.message());
      default ->
          ofAll
              ? error(400, "Invalid parameters", violation.message())
              : invalid(
                  violation.where().name().toLowerCase(Locale.ROOT),
                  violation.dotted(),
                  "Input " + violation.message(),
                  type(violation));
    };
  }

  /** The vendor's framework's word for what is wrong. */
  private static String type(Violation violation) {
    return switch (violation.kind()) {
      case UNREADABLE -> "json_invalid";
      case MISSING -> "missing";
      case UNKNOWN -> "extra_forbidden";
      case VALUE -> "enum";
      case BOUND ->
          violation.message().contains("at least") ? "greater_than_equal" : "less_than_equal";
      default -> violation.message().contains("integer") ? "int_parsing" : "type";
    };
  }

  private static SandboxAnswer invalid(String place, String name, String message, String type) {
    Row fault = Row.of("loc", List.of(place, name), "msg", message, "type", type);
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
    try {
      List<String> addresses = new ArrayList<>();
      JSON.readTree(body).path("addresses").forEach(address -> addresses.add(address.asText()));
      return addresses;
    } catch (IOException impossible) {
      throw new UncheckedIOException("The contract has read it", impossible);
    }
  }
}
