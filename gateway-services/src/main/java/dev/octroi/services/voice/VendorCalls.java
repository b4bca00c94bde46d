package dev.octroi.services.voice;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.octroi.services.Deadline;
import dev.octroi.services.Failure;
import dev.octroi.services.VendorRefusal;
import dev.octroi.services.read.UpstreamJson;
import dev.octroi.services.upstream.Credential;
import dev.octroi.services.upstream.Failures;
import dev.octroi.services.upstream.UpstreamAnswer;
import dev.octroi.services.upstream.UpstreamClient;
import dev.octroi.services.upstream.UpstreamRequest;
import dev.octroi.services.voice.VoiceCalls.CallOrder;
import dev.octroi.services.voice.VoiceCalls.CallReport;
import dev.octroi.services.voice.VoiceCalls.Placed;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Calls by a voice vendor. It knows no idempotency key: ours goes into the call's metadata, where a
 * start whose answer was lost is looked for. Errors may stand in an answer of 200. Thread-safe.
 */
public final class VendorCalls implements VoiceCalls {

  /** The member of a call's metadata that holds our key. */
  private static final String KEY = "gateway_key";

  private static final String JSON = "application/json";
  private static final int TOO_MANY = 429;

  /** With which the vendor says that it knows no such call, if it says so in its own form. */
  private static final Set<Integer> UNKNOWN = Set.of(400, 404, 410, 422);

  /** English, the only language that is sold (specification, limits). */
  private static final String ENGLISH = "babel-en";

  /** Calls from one number to another within a day or two; more cannot be looked through. */
  private static final int MOST_CANDIDATES = 50;

  /** The vendor's clock may be behind ours. */
  private static final Duration SKEW = Duration.ofMinutes(5);

  private final UpstreamClient client;
  private final Credential numbers;

  /**
   * @param encryptedKey the vendor's key for the carrier of the numbers that are called from,
   *     without which it refuses to call from them
   */
  public VendorCalls(UpstreamClient client, String encryptedKey) {
    this.client = client;
    this.numbers = Credential.header("encrypted_key", encryptedKey);
  }

  @Override
  public void requireReachable() {
    client.requireReachable();
  }

  @Override
  public Placed start(CallOrder order, String key, Deadline deadline) {
    ObjectNode call = UpstreamJson.record();
    call.put("phone_number", order.to()).put("from", order.from()).put("task", order.task());
    call.put("voice", order.voice()).put("language", ENGLISH);
    call.put("max_duration", order.maxMinutes()).put("record", true);
    call.put("wait_for_greeting", order.waitForGreeting());
    order.firstSentence().ifPresent(words -> call.put("first_sentence", words));
    order.webhook().ifPresent(address -> call.put("webhook", address.toString()));
    call.putObject("metadata").put(KEY, key);
    return place(
        effect("/v1/calls", call).with(numbers), deadline, said -> said.path("call_id").asText(""));
  }

  @Override
  public Placed transfer(String reference, String to, Deadline deadline) {
    ObjectNode handover =
        UpstreamJson.record().put("call_id", reference).put("transfer_number", to);
    return place(effect("/v1/calls/active/transfer", handover), deadline, said -> reference);
  }

  /** Where the vendor's id of what it did stands. */
  @FunctionalInterface
  private interface Reference {
    String in(JsonNode said);
  }

  private Placed place(UpstreamRequest request, Deadline deadline, Reference reference) {
    UpstreamAnswer answer;
    try {
      answer = client.send(request, deadline);
    } catch (Failure failure) {
      return Failures.withoutEffect(failure)
          .<Placed>map(Placed.Refused::new)
          .orElseGet(Placed.Unknown::new);
    }
    JsonNode said = UpstreamJson.tree(answer.body());
    if (answer.successful() && said.isObject() && !isError(said)) {
      String id = reference.in(said);
      return id.isBlank() ? new Placed.Unknown() : new Placed.Done(id);
    }
    client.warn(answer);
    boolean refused = answer.refused() || (answer.successful() && isError(said));
    return refused ? Refusals.of(answer) : new Placed.Unknown();
  }

  private static UpstreamRequest effect(String path, JsonNode what) {
    return UpstreamRequest.post(path, UpstreamJson.bytes(what), JSON);
  }

  @Override
  public Optional<CallReport> read(String reference, Deadline deadline) {
    return details(reference, deadline).map(Reports::of);
  }

  private Optional<JsonNode> details(String reference, Deadline deadline) {
    UpstreamAnswer answer =
        client.send(UpstreamRequest.get("/v1/calls/" + encoded(reference)), deadline);
    JsonNode said = UpstreamJson.tree(answer.body());
    boolean certain = answer.successful() || UNKNOWN.contains(answer.status());
    if (answer.successful() && isRecord(said, reference)) {
      return Optional.of(said);
    }
    if (certain && isError(said)) {
      return Optional.empty();
    }
    // Our key, or a server on the way, which knows nothing of calls.
    throw answer.successful() ? Failures.unreadable("it is no call") : Failures.of(answer);
  }

  /**
   * An error in a 200 has the member that a record has too, but no id; another call has its own.
   */
  private static boolean isRecord(JsonNode said, String reference) {
    return UpstreamJson.first(said, "call_id", "c_id").asText("").equals(reference);
  }

  @Override
  public boolean stop(String reference, Deadline deadline) {
    UpstreamAnswer answer =
        client.send(
            effect("/v1/calls/" + encoded(reference) + "/stop", UpstreamJson.record()), deadline);
    if (answer.successful()) {
      return !isError(UpstreamJson.tree(answer.body()));
    }
    if (answer.refused() && answer.status() != TOO_MANY) {
      return false;
    }
    throw Failures.of(answer);
  }

  @Override
  public Optional<String> find(CallOrder order, String key, Instant since, Deadline deadline) {
    Instant from = since.minus(SKEW);
    UpstreamAnswer answer = client.send(UpstreamRequest.get(list(order, from)), deadline);
    if (!answer.successful()) {
      throw Failures.of(answer);
    }
    JsonNode calls = UpstreamJson.list(UpstreamJson.object(answer.body()), "calls");
    for (JsonNode call : calls) {
      String id = call.path("call_id").asText("");
      if (!id.isEmpty() && !isBefore(call, from) && hasKey(id, key, deadline)) {
        return Optional.of(id);
      }
    }
    Failures.require(
        calls.size() < MOST_CANDIDATES || isBefore(calls.get(calls.size() - 1), from),
        "the list of calls ends too early");
    return Optional.empty();
  }

  private static String list(CallOrder order, Instant from) {
    return "/v1/calls?from_number="
        + encoded(order.from())
        + "&to_number="
        + encoded(order.to())
        + "&start_date="
        + from.atOffset(ZoneOffset.UTC).toLocalDate()
        + "&limit="
        + MOST_CANDIDATES;
  }

  /** A call that is listed and cannot be read may be the one that is looked for. */
  private boolean hasKey(String id, String key, Deadline deadline) {
    JsonNode call =
        details(id, deadline).orElseThrow(() -> Failures.unreadable("a listed call is unknown"));
    return call.path("metadata").path(KEY).asText("").equals(key);
  }

  private static boolean isBefore(JsonNode call, Instant time) {
    try {
      return OffsetDateTime.parse(call.path("created_at").asText("")).toInstant().isBefore(time);
    } catch (DateTimeException unreadable) {
      return false;
    }
  }

  private static boolean isError(JsonNode said) {
    JsonNode errors = said.path("errors");
    boolean listed = errors.isArray() ? !errors.isEmpty() : said.hasNonNull("errors");
    return said.path("status").asText("").equals("error") || listed;
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  /** The vendor has no codes: why it refuses stands in its words. */
  private static final class Refusals {

    /** Also where a number of ours is wrong that is called from. */
    private static final Pattern OURS =
        Pattern.compile(
            "(?i)encrypted|account|carrier|\\bfrom\\b|balance|credit|api.?key|\\bplan\\b");

    private static final Pattern NUMBER =
        Pattern.compile("(?i)phone.?number|transfer.?number|\\bE\\.?164\\b");
    private static final Pattern ENDED =
        Pattern.compile("(?i)call\\b.*\\b(not (currently )?active|not found|ended|completed)");

    private Refusals() {}

    static Placed.Refused of(UpstreamAnswer answer) {
      String words = new String(answer.body(), StandardCharsets.UTF_8);
      if (answer.status() == TOO_MANY) {
        return new Placed.Refused(VendorRefusal.BUSY);
      }
      if (OURS.matcher(words).find()) {
        return new Placed.Refused(VendorRefusal.ACCOUNT);
      }
      if (NUMBER.matcher(words).find()) {
        return new Placed.Refused(VendorRefusal.NUMBER);
      }
      return new Placed.Refused(
          ENDED.matcher(words).find() ? VendorRefusal.CALL_NOT_ACTIVE : VendorRefusal.CALL);
    }
  }
}
