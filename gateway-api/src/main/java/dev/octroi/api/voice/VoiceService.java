package dev.octroi.api.voice;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.octroi.api.group.Outcomes;
import dev.octroi.api.phone.PhoneGroup.OwnedNumbers;
import dev.octroi.api.validation.BodyReader;
import dev.octroi.api.voice.PlacedCall.CallIntent;
import dev.octroi.api.voice.VoiceResource.EndBody;
import dev.octroi.api.voice.VoiceResource.TransferBody;
import dev.octroi.payments.Payment;
import dev.octroi.payments.effect.EffectRunner;
import dev.octroi.payments.effect.EffectRunner.EffectResult;
import dev.octroi.services.Deadline;
import dev.octroi.services.ErrorCode;
import dev.octroi.services.Failure;
import dev.octroi.services.phone.PhoneNumber;
import dev.octroi.services.read.UpstreamJson;
import dev.octroi.services.voice.VoiceCalls.CallOrder;
import dev.octroi.services.voice.VoiceCalls.CallStatus;
import jakarta.ws.rs.WebApplicationException;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.math.BigDecimal;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.Optional;
import java.util.regex.Pattern;

/** Serves the methods of the group. Thread-safe. */
public final class VoiceService {

  /** Where a call's record is, below the gateway's base address and before the call's id. */
  static final String RECORDS = "/v1/marketplace/voice/call/";

  private final VoiceTerms terms;
  private final BodyReader bodies;
  private final OwnedNumbers numbers;
  private final CallStore store;
  private final CallFollower follower;
  private final EffectRunner starts;
  private final EffectRunner transfers;

  VoiceService(
      VoiceTerms terms,
      BodyReader bodies,
      OwnedNumbers numbers,
      CallStore store,
      CallFollower follower,
      EffectRunner starts,
      EffectRunner transfers) {
    this.terms = terms;
    this.bodies = bodies;
    this.numbers = numbers;
    this.store = store;
    this.follower = follower;
    this.starts = starts;
    this.transfers = transfers;
  }

  /**
   * Places a call, once for a payment.
   *
   * @param base the gateway's base address, without a slash at its end
   */
  byte[] start(byte[] body, Payment payment, String base) {
    CallOrder order = bodies.exact(body, CallBody.class).order(terms.voices());
    String owner = payment.owner();
    if (!payment.isSettled()) {
      terms.requireRate(new PhoneNumber(order.to()));
      if (!numbers.isOwned(owner, new PhoneNumber(order.from()), store.now())) {
        throw Refusals.foreignNumber();
      }
    }
    CallIntent intent = new CallIntent(CallId.next(), owner, order);
    EffectResult.Done done =
        Outcomes.done(
            starts.perform(payment, intent.json()),
            ErrorCode.CALL_FAILED,
            "The call was not placed.");
    String call = CallIntent.of(done.effect().intent()).call();
    return CallRecords.started(call, base + RECORDS + call);
  }

  byte[] transfer(byte[] body, Payment payment) {
    TransferBody asked = bodies.exact(body, TransferBody.class);
    PhoneNumber callee = asked.callee();
    String to = callee.e164();
    PlacedCall call = owned(asked.call(), payment.owner());
    if (!payment.isSettled()) {
      terms.requireRate(callee);
      call = active(call, deadline(payment));
    }
    TransferEffect.Intent intent = new TransferEffect.Intent(call.id(), call.reference(), to);
    var unused =
        Outcomes.done(
            transfers.perform(payment, intent.json()),
            ErrorCode.CALL_FAILED,
            "The call was not handed over.");
    return CallRecords.changed(
        call.id(), CallStatus.IN_PROGRESS.word(), "The call is handed over to " + to + ".");
  }

  byte[] end(byte[] body, Payment payment) {
    EndBody asked = bodies.exact(body, EndBody.class);
    Deadline deadline = deadline(payment);
    PlacedCall call = active(owned(asked.call(), payment.owner()), deadline);
    PlacedCall ended = follower.end(call, deadline);
    if (!ended.status().hasEnded()) {
      throw new Failure(ErrorCode.UPSTREAM_FAILED, "The call could not be ended");
    }
    if (ended.status() != CallStatus.COMPLETED) {
      throw Refusals.notActive();
    }
    return CallRecords.changed(call.id(), ended.status().word(), "The call has been ended.");
  }

  /**
   * The record of a call.
   *
   * @param payment empty where reading is free, when who knows the id may read, and where who paid
   *     for the call has signed in
   */
  byte[] read(String id, Optional<Payment> payment) {
    PlacedCall call = payment.map(paid -> owned(id, paid.owner())).orElseGet(() -> find(id));
    Deadline deadline = payment.map(this::deadline).orElseGet(() -> Deadline.in(terms.limit()));
    if (isWhole(call)) {
      return CallRecords.call(call);
    }
    Optional<PlacedCall> told = follower.told(call, deadline);
    if (told.isEmpty() && !call.status().hasEnded()) {
      throw Refusals.noSuchCall();
    }
    return CallRecords.call(told.orElse(call));
  }

  /** Who paid for a call; empty if there is no such call. */
  Optional<String> payer(String id) {
    return CallId.isOne(id) ? store.find(id).map(PlacedCall::owner) : Optional.empty();
  }

  /** The vendor may write a call's transcript after its end. */
  private boolean isWhole(PlacedCall call) {
    return call.status().hasEnded()
        && (call.said().transcript().isPresent() || call.look().isEmpty());
  }

  private PlacedCall active(PlacedCall call, Deadline deadline) {
    PlacedCall now = call.status().hasEnded() ? call : follower.refreshed(call, deadline);
    if (now.status() != CallStatus.IN_PROGRESS) {
      throw Refusals.notActive();
    }
    return now;
  }

  private PlacedCall owned(String id, String owner) {
    PlacedCall call = find(id);
    if (!call.owner().equals(owner)) {
      throw Refusals.noSuchCall();
    }
    return call;
  }

  private PlacedCall find(String id) {
    return (CallId.isOne(id) ? store.find(id) : Optional.<PlacedCall>empty())
        .orElseThrow(Refusals::noSuchCall);
  }

  private Deadline deadline(Payment payment) {
    Instant now = store.now();
    Duration left = Duration.between(now, payment.deadline());
    return Deadline.in(left.compareTo(terms.limit()) < 0 ? left : terms.limit());
  }

  /** Names of calls, which a stranger cannot guess: 128 random bits (money rule 4). */
  static final class CallId {

    private static final SecureRandom RANDOM = new SecureRandom();
    private static final int BYTES = 16;
    private static final Pattern FORM = Pattern.compile("call_[0-9a-f]{32}");

    private CallId() {}

    static String next() {
      byte[] bits = new byte[BYTES];
      RANDOM.nextBytes(bits);
      return "call_" + HexFormat.of().formatHex(bits);
    }

    /** Whether it can be one; what cannot is not looked for. */
    static boolean isOne(String text) {
      return FORM.matcher(text).matches();
    }
  }

  /**
   * The records of the group (specification, phone and voice records). None of their members is
   * stated to be nullable: what is not known is an empty text, and a call without a length has
   * lasted 0.
   */
  private static final class CallRecords {

    private static final String UNKNOWN = "unknown";

    private CallRecords() {}

    static byte[] started(String call, String pollUrl) {
      return UpstreamJson.bytes(
          UpstreamJson.record()
              .put("call_id", call)
              .put("status", "success")
              .put("poll_url", pollUrl)
              .put("message", "The call is being placed; read its record to follow it."));
    }

    static byte[] changed(String call, String status, String message) {
      return UpstreamJson.bytes(
          UpstreamJson.record().put("call_id", call).put("status", status).put("message", message));
    }

    static byte[] call(PlacedCall call) {
      ObjectNode record = UpstreamJson.record();
      record.put("call_id", call.id()).put("status", call.status().word());
      record.set("call_length", UpstreamJson.number(call.said().minutes().orElse(BigDecimal.ZERO)));
      record.put("answered_by", call.said().answeredBy().orElse(UNKNOWN));
      record.put("from", call.from()).put("to", call.to());
      record.put("concatenated_transcript", call.said().transcript().orElse(""));
      record.put("recording_url", call.said().recording().orElse(""));
      return UpstreamJson.bytes(record);
    }
  }

  /** What callers are told who do not get what they asked for. */
  private static final class Refusals {

    private Refusals() {}

    static Failure noSuchCall() {
      return new Failure(ErrorCode.CALL_NOT_FOUND, "There is no such call of yours");
    }

    static Failure notActive() {
      return new Failure(ErrorCode.CALL_NOT_ACTIVE, "The call is not in progress");
    }

    /** 403 in a form of its own (specification, {@code POST /call}). */
    static WebApplicationException foreignNumber() {
      return new WebApplicationException(
          Response.status(Response.Status.FORBIDDEN)
              .type(MediaType.APPLICATION_JSON_TYPE)
              .header(HttpHeaders.CACHE_CONTROL, "no-store")
              .entity(
                  UpstreamJson.bytes(
                      UpstreamJson.record()
                          .put("error", "Forbidden")
                          .put("message", "from is not a number that is leased to you")))
              .build());
    }
  }
}
