package dev.octroi.services.phone;

import dev.octroi.services.Deadline;
import dev.octroi.services.VendorRefusal;
import java.time.Instant;
import java.util.List;

/** The vendor that sends text messages. Thread-safe. */
public interface TextMessages {

  /** Tries to send a message, once. */
  Sending send(TextMessage message, Deadline deadline);

  /**
   * The messages with this text between these numbers that were taken since.
   *
   * @throws dev.octroi.services.Failure 502, 503; also where there are too many to look through
   */
  List<Sending.Sent> sent(TextMessage message, Instant since, Deadline deadline);

  /** How the attempt to send a message ended. */
  sealed interface Sending {

    /**
     * The vendor has taken it.
     *
     * @param reference the vendor's id of it
     * @param status the vendor's word for what it does with it, such as {@code queued}
     */
    record Sent(String reference, String status) implements Sending {}

    /** It certainly will not be sent. */
    record Refused(VendorRefusal why) implements Sending {}

    /** Not known whether the vendor took it: ask for what was sent. */
    record Unknown() implements Sending {}
  }

  /**
   * A text message.
   *
   * @param body 1 to 1,600 characters, what the vendor takes as one message
   */
  record TextMessage(PhoneNumber from, PhoneNumber to, String body) {

    public static final int LONGEST = 1_600;
  }
}
