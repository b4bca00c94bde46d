package dev.octroi.sandbox.voice;

import com.fasterxml.jackson.databind.JsonNode;
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
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The voice vendor. Thread-safe. */
public final class VoiceVendor implements SandboxVendor, AutoCloseable {

  /** Where the sandbox serves it. */
  public static final String MOUNT = "voice";

  /** What it signs its webhooks with. */
  public static final String WEBHOOK_SECRET = "sandbox";

  private static final int MOST_CALLS = 10_000;
  private static final Pattern ONE = Pattern.compile("/v1/calls/([^/]+)(/stop)?");

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

  /** The vendor takes its key without the word of a scheme. */
  @Override
  public SandboxAnswer answer(SandboxRequest request) {
    if (request.headers().getOrDefault("authorization", " ").strip().contains(" ")) {
      return failure(401, "Invalid API key");
    }
    boolean post = request.method().equals("POST");
    try {
      if (request.path().equals("/v1/calls")) {
        return post ? start(Order.read(request.body())) : list(request);
      }
      if (request.path().equals("/v1/calls/active/transfer") && post) {
        return transfer(Order.tree(request.body()));
      }
    } catch (Order.Invalid invalid) {
      return error(400, "Invalid parameters", List.of(String.valueOf(invalid.getMessage())));
    }
    Matcher one = ONE.matcher(request.path());
    return one.matches() && post == (one.group(2) != null)
        ? one(one.group(1), post)
        : failure(404, "Not found");
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
  private SandboxAnswer list(SandboxRequest request) {
    Optional<LocalDate> start = one(request, "start_date").map(LocalDate::parse);
    Instant now = clock.instant();
    List<Map<String, @Nullable Object>> found =
        calls.values().stream()
            .filter(call -> agrees(request, "from_number", call.order().from()))
            .filter(call -> agrees(request, "to_number", call.order().to()))
            .filter(call -> start.map(day -> !day(call).isBefore(day)).orElse(true))
            .sorted(Comparator.comparing(SandboxCall::created).reversed())
            .limit(one(request, "limit").map(Integer::parseInt).orElse(1_000))
            .map(call -> call.summary(now))
            .toList();
    return SandboxAnswer.ok(
        fields("total_count", found.size(), "count", found.size(), "calls", found));
  }

  private static LocalDate day(SandboxCall call) {
    return call.created().atZone(ZoneOffset.UTC).toLocalDate();
  }

  private static boolean agrees(SandboxRequest request, String parameter, String value) {
    return one(request, parameter).map(value::equals).orElse(true);
  }

  private static Optional<String> one(SandboxRequest request, String parameter) {
    return request.query().getOrDefault(parameter, List.of()).stream().findFirst();
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
