package dev.octroi.api.voice;

import dev.octroi.services.Deadline;
import dev.octroi.services.Failure;
import dev.octroi.services.voice.VoiceCalls;
import dev.octroi.services.voice.VoiceCalls.CallReport;
import dev.octroi.services.voice.VoiceCalls.CallStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Follows calls to their end, which it brings about when they last too long, whichever node placed
 * them. Thread-safe; bears to be run twice at once.
 */
final class CallFollower {

  private static final Logger LOG = LoggerFactory.getLogger(CallFollower.class);

  private static final int CALLS_A_RUN = 50;
  private static final Duration RUN = Duration.ofSeconds(30);
  private static final Duration ONE = Duration.ofSeconds(5);

  /** A vendor that has not ended a call by then will not tell of it any more. */
  private static final Duration GIVEN_UP = Duration.ofDays(1);

  private final VoiceCalls vendor;
  private final CallStore store;

  CallFollower(VoiceCalls vendor, CallStore store) {
    this.vendor = vendor;
    this.store = store;
  }

  /** Looks at every call that is due, for half a minute at most. */
  void follow() {
    Deadline deadline = Deadline.in(RUN);
    for (PlacedCall call : store.due(CALLS_A_RUN)) {
      if (deadline.remaining().isZero()) {
        return;
      }
      if (store.look(call, CallStore.LOOK_AGAIN.multipliedBy(2))) {
        look(call, deadline.atMost(ONE));
      }
    }
  }

  private void look(PlacedCall call, Deadline deadline) {
    try {
      PlacedCall now = refreshed(call, deadline);
      if (!now.status().hasEnded() && !store.now().isBefore(now.ends())) {
        endOverdue(now, deadline);
      }
    } catch (Failure unreachable) {
      LOG.info("Call {} could not be followed: {}", call.id(), unreachable.getMessage());
      giveUp(call);
    }
  }

  /** What the vendor says of it now, written down; what is known if it knows no such call. */
  PlacedCall refreshed(PlacedCall call, Deadline deadline) {
    return told(call, deadline).orElse(call);
  }

  /** What the vendor says of it now, written down; empty if it knows no such call. */
  Optional<PlacedCall> told(PlacedCall call, Deadline deadline) {
    return vendor
        .read(call.reference(), deadline)
        .flatMap(report -> store.report(call.id(), report));
  }

  /**
   * Ends a call.
   *
   * @return how it stands then; still going on if the vendor refuses to end it
   */
  PlacedCall end(PlacedCall call, Deadline deadline) {
    if (vendor.stop(call.reference(), deadline)) {
      return report(call, stopped(call.status()));
    }
    return refreshed(call, deadline);
  }

  private static CallStatus stopped(CallStatus was) {
    return was == CallStatus.IN_PROGRESS ? CallStatus.COMPLETED : CallStatus.FAILED;
  }

  private void endOverdue(PlacedCall call, Deadline deadline) {
    PlacedCall now = end(call, deadline);
    if (now.status().hasEnded()) {
      LOG.info("Call {} lasted too long and was ended", call.id());
    } else if (vendor.read(call.reference(), deadline).isEmpty()) {
      LOG.warn("Call {} is not known to its vendor any more", call.id());
      report(call, CallStatus.FAILED);
    } else {
      giveUp(call);
    }
  }

  private void giveUp(PlacedCall call) {
    Instant last = call.ends().plus(GIVEN_UP);
    if (!call.status().hasEnded() && store.now().isAfter(last)) {
      LOG.error("Call {} never ended at its vendor, and is not followed any more", call.id());
      report(call, CallStatus.FAILED);
    }
  }

  private PlacedCall report(PlacedCall call, CallStatus status) {
    Optional<PlacedCall> now = store.report(call.id(), CallReport.of(status));
    return now.orElse(call);
  }
}
