package dev.octroi.services.phone;

import dev.octroi.services.Answer;
import dev.octroi.services.Deadline;

/**
 * Tells about phone numbers. Each method throws {@link dev.octroi.services.Failure}: 400 {@code
 * invalid_phone_number} for a number that the vendor rejects, 502, 503. Thread-safe.
 */
public interface Lookups {

  /** Who carries a number (specification, carrier lookup). */
  Answer carrier(PhoneNumber number, Deadline deadline);

  /** What speaks for and against trusting it (specification, fraud lookup). */
  Answer fraud(PhoneNumber number, Deadline deadline);
}
