package dev.octroi.services.voice;

import dev.octroi.services.Deadline;
import java.time.Instant;
import java.util.Optional;

/**
 * Places and follows calls. Each method throws {@link dev.octroi.services.Failure} (502, 503) where
 * no answer can be had, except those that return a {@link Placed}. Thread-safe.
 */
public interface VoiceCalls {

  /**
   * Places a call, at most once.
   *
   * @param key by which {@link #find} knows it again, unique to this call
   */
  Placed start(CallOrder order, String key, Deadline deadline);

  /** What became of a call; empty if the vendor knows none of that id. */
  Optional<CallReport> read(String reference, Deadline deadline);

  /**
   * Ends a call.
   *
   * @return false if the vendor refuses, as it does for a call that has ended
   */
  boolean stop(String reference, Deadline deadline);

  /**
   * Hands a call over to another number.
   *
   * @param to E.164
   */
  Placed transfer(String reference, String to, Deadline deadline);

  /**
   * The id of the call that was placed with a key; empty if there is certainly none yet.
   *
   * @param since when it was placed at the earliest
   */
  Optional<String> find(CallOrder order, String key, Instant since, Deadline deadline);
}
