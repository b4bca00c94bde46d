package dev.octroi.api.voice;

import dev.octroi.services.Deadline;
import dev.octroi.services.Failure;
import dev.octroi.services.read.UpstreamJson;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hears what the vendor tells of calls. A message is taken as a hint to ask the vendor, whose
 * answer counts: one that is sent again, or late, changes nothing. Thread-safe.
 */
public final class VoiceEar {

  private static final Logger LOG = LoggerFactory.getLogger(VoiceEar.class);

  private final WebhookSeal seal;
  private final CallStore store;
  private final CallFollower follower;
  private final Duration limit;
  private final Clock clock;

  VoiceEar(WebhookSeal seal, CallStore store, CallFollower follower, Duration limit, Clock clock) {
    this.seal = seal;
    this.store = store;
    this.follower = follower;
    this.limit = limit;
    this.clock = clock;
  }

  /** Takes a message; false if it is not the vendor's. Of calls that are not known it is silent. */
  boolean hears(byte[] body, String signature, Optional<String> time) {
    if (!seal.isGenuine(body, signature, time, clock.instant())) {
      return false;
    }
    String reference = UpstreamJson.tree(body).path("call_id").asText("");
    Optional.of(reference)
        .filter(id -> !id.isEmpty())
        .flatMap(store::ofReference)
        .filter(call -> call.look().isPresent())
        .filter(call -> store.look(call, CallStore.LOOK_AGAIN))
        .ifPresent(this::ask);
    return true;
  }

  private void ask(PlacedCall call) {
    try {
      follower.refreshed(call, Deadline.in(limit));
    } catch (Failure later) {
      LOG.info("Call {} is asked about later: {}", call.id(), later.getMessage());
    }
  }
}
