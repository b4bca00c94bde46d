package dev.octroi.services.phone;

import dev.octroi.services.Deadline;
import java.time.Instant;
import java.util.Optional;

/** The vendor that sends text messages. Thread-safe. */
public interface TextMessages {

  /** Tries to send a message, once. */
  Sending send(TextMessage message, Deadline deadline);

  /**
   * A message with this text between these numbers that was taken since.
   *
   * @throws dev.octroi.services.Failure 502, 503
   */
  Optional<Sending.Sent> sent(TextMessage message, Instant since, Deadline deadline);
}
