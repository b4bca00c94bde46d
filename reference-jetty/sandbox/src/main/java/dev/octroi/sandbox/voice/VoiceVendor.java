package dev.octroi.sandbox.voice;

import com.fasterxml.jackson.databind.JsonNode;
import dev.octroi.sandbox.contract.Contract;
import dev.octroi.sandbox.contract.Violation;
import dev.octroi.sandbox.vendor.SandboxAnswer;
import dev.octroi.sandbox.vendor.SandboxRequest;
import dev.octroi.sandbox.vendor.SandboxVendor;
import java.time.Clock;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The voice vendor. Thread-safe. */
public final class VoiceVendor implements SandboxVendor, AutoCloseable {

  /** Where the sandbox serves it. */
  public static final String MOUNT = "voice";

  /** What it signs its webhooks with. */
  public static final String WEBHOOK_SECRET = "sandbox";

  private static final int MOST_CALLS = 10_000;
  private static final Contract CONTRACT = Contract.of("voice.txt");

  private final Map<String, SandboxCall> calls = new ConcurrentHashMap<>();
  private final Clock clock;
  private final Webhooks webhooks;

  public VoiceVendor(Clock clock) {
    this.clock = clock;
    this.webhooks = new Webhooks(WEBHOOK_SECRET, clock);
  }

  @Override
  public String mount() {
    return MOUNT;
  }

  /** How many calls were placed from one number to another. */
  public long placed(String from, String to) {
    return calls.values().stream()
        .filter(call -> call.order().from().equals(from) && call.order().to().equals(to))
        .count();
  }

  @Override
  public Contract contract() {
    return CONTRACT;
  }

  @Override
  public SandboxAnswer answer(SandboxRequest request) {
    String id = request.call().path().getOrDefault("call_id", "");
    try {
      return switch (request.call().operation()) {
        case "POST /v1/calls" -> start(Order.read(request.body()));
        case "GET /v1/calls" -> list(request.call().query());
        case "POST /v1/calls/active/transfer" -> transfer(Order.tree(request.body()));
        case "GET /v1/calls/{call_id}" -> one(id, false);
        case "POST /v1/calls/{call_id}/stop" -> one(id, true);
        default -> failure(404, "Not found");
      };
    } catch (Order.Invalid invalid) {
      return error(400, "Invalid parameters", List.of(String.valueOf(invalid.getMessage())));
    }
  }

  @Override
  public SandboxAnswer refusal(Violation violation) {
    return switch (violation.kind()) {
      case UNAUTHORIZED -> failure(401, "Invalid API key");
      case NO_PATH, NO_METHOD -> failure(404, "Not found");
      default -> error(400, "Invalid parameters", List.of(violation.sentence()));
    };
  }

  private SandboxAnswer start(Order order) {
    Plot plot = Plot.of(order.to());
    if (plot == Plot.ORDER_LOST) {
      return SandboxAnswer.LOST;
    }
    if (plot == Plot.REFUSED) {
      return error(200, "The destination cannot be called", List.of());
    }
    if (calls.size() >= MOST_CALLS) {
      return failure(429, "Too many calls");
    }
    SandboxCall call = new SandboxCall(UUID.randomUUID().toString(), order, clock.instant());
    calls.put(call.id(), call);
    if (plot != Plot.ENDLESS) {
      webhooks.tell(call, call.end());
    }
    return switch (plot) {
      case ANSWER_LOST -> SandboxAnswer.LOST;
      case HANGS -> SandboxAnswer.NEVER;
      default ->
          SandboxAnswer.ok(
              fields(
                  "status",
                  "success",
                  "message",
                  "Call successfully queued.",
                  "call_id",
                  call.id(),
                  "batch_id",
                  null));
    };
  }

  private SandboxAnswer one(String id, boolean stop) {
    SandboxCall call = calls.get(id);
    if (call == null) {
      return failure(404, "Call not found");
    }
    Instant now = clock.instant();
    if (!stop) {
      return SandboxAnswer.ok(call.details(now));
    }
    if (!call.stop(now)) {
      return error(200, "The call is not active", List.of());
    }
    webhooks.tell(call, now);
    return SandboxAnswer.ok(fields("status", "success", "message", "Call ended successfully."));
  }

  private SandboxAnswer transfer(JsonNode asked) {
    SandboxCall call = calls.get(asked.path("call_id").asText(""));
    String to = asked.path("transfer_number").asText("");
    if (call == null || to.isBlank() || !call.transfer(to, clock.instant())) {
      return SandboxAnswer.ok(
          fields("data", null, "errors", List.of(Map.of("message", "The call is not active"))));
    }
    Map<String, String> done =
        Map.of("message", "Call " + call.id() + " transferred to " + to + " successfully");
    return SandboxAnswer.ok(fields("data", done, "errors", null));
  }

  /** The newest first. */
  private SandboxAnswer list(Map<String, String> query) {
    Optional<LocalDate> start = Optional.ofNullable(query.get("start_date")).map(LocalDate::parse);
    Instant now = clock.instant();
    List<Map<String, @Nullable Object>> found =
        calls.values().stream()
            .filter(call -> agrees(query, "from_number", call.order().from()))
            .filter(call -> agrees(query, "to_number", call.order().to()))
            .filter(call -> start.map(day -> !day(call).isBefore(day)).orElse(true))
            .sorted(Comparator.comparing(SandboxCall::created).reversed())
            .limit(Integer.parseInt(query.getOrDefault("limit", "1000")))
            .map(call -> call.summary(now))
            .toList();
    return SandboxAnswer.ok(
        fields("total_count", found.size(), "count", found.size(), "calls", found));
  }

  private static LocalDate day(SandboxCall call) {
    return call.created().atZone(ZoneOffset.UTC).toLocalDate();
  }

  private static boolean agrees(Map<String, String> query, String parameter, String value) {
    return query.getOrDefault(parameter, value).equals(value);
  }

  @Override
  public SandboxAnswer failure(int status, String message) {
    return error(status, message, List.of());
  }

  private static SandboxAnswer error(int status, String message, List<String> errors) {
    Map<String, @Nullable Object> error = fields("status", "error", "message", message);
    if (!errors.isEmpty()) {
      error.put("errors", errors);
    }
    return SandboxAnswer.status(status, error);
  }

  private static Map<String, @Nullable Object> fields(@Nullable Object... namesAndValues) {
    Map<String, @Nullable Object> fields = new LinkedHashMap<>();
    for (int at = 0; at < namesAndValues.length; at += 2) {
      fields.put((String) Objects.requireNonNull(namesAndValues[at]), namesAndValues[at + 1]);
    }
    return fields;
  }

  @Override
  public void close() {
    webhooks.close();
  }
}
