package dev.octroi.api.voice;

import dev.octroi.api.phone.OwnedNumbers;
import dev.octroi.api.validation.BodyReader;
import dev.octroi.payments.Payment;
import dev.octroi.payments.effect.EffectResult;
import dev.octroi.payments.effect.EffectRunner;
import dev.octroi.services.Deadline;
import dev.octroi.services.ErrorCode;
import dev.octroi.services.Failure;
import dev.octroi.services.phone.PhoneNumber;
import dev.octroi.services.voice.CallOrder;
import dev.octroi.services.voice.CallStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

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
    CallOrder order = bodies.read(body, CallBody.class).order(terms.voices());
    String owner = payment.owner();
    if (!payment.isSettled()
        && !numbers.isOwned(owner, new PhoneNumber(order.from()), store.now())) {
      throw Refusals.foreignNumber();
    }
    CallIntent intent = new CallIntent(CallId.next(), owner, order);
    EffectResult.Done done = done(starts.perform(payment, intent.json()));
    String call = CallIntent.of(done.effect().intent()).call();
    return CallRecords.started(call, base + RECORDS + call);
  }

  byte[] transfer(byte[] body, Payment payment) {
    TransferBody asked = bodies.read(body, TransferBody.class);
    String to = asked.callee().e164();
    PlacedCall call = owned(asked.call(), payment.owner());
    if (!payment.isSettled()) {
      call = active(call, deadline(payment));
    }
    TransferEffect.Intent intent = new TransferEffect.Intent(call.id(), call.reference(), to);
    done(transfers.perform(payment, intent.json()));
    return CallRecords.changed(
        call.id(), CallStatus.IN_PROGRESS.word(), "The call is handed over to " + to + ".");
  }

  byte[] end(byte[] body, Payment payment) {
    EndBody asked = bodies.read(body, EndBody.class);
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
   * @param payment empty where reading is free: who knows the id may read
   */
  byte[] read(String id, Optional<Payment> payment) {
    PlacedCall call = payment.map(paid -> owned(id, paid.owner())).orElseGet(() -> find(id));
    Deadline deadline = payment.map(this::deadline).orElseGet(() -> Deadline.in(terms.limit()));
    return CallRecords.call(isWhole(call) ? call : follower.refreshed(call, deadline));
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

  private static EffectResult.Done done(EffectResult result) {
    if (result instanceof EffectResult.Done done) {
      return done;
    }
    if (result instanceof EffectResult.Failed failed) {
      throw Refusals.failed(failed);
    }
    throw Refusals.unknown();
  }

  private Deadline deadline(Payment payment) {
    Instant now = store.now();
    Duration left = Duration.between(now, payment.deadline());
    return Deadline.in(left.compareTo(terms.limit()) < 0 ? left : terms.limit());
  }
}
