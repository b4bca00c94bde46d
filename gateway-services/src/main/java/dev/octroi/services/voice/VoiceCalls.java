package dev.octroi.services.voice;

import dev.octroi.services.Deadline;
import dev.octroi.services.VendorRefusal;
import java.math.BigDecimal;
import java.net.URI;
import java.time.Instant;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/**
 * Places and follows calls. Each method throws {@link dev.octroi.services.Failure} (502, 503) where
 * no answer can be had, except those that return a {@link Placed}. Thread-safe.
 */
public interface VoiceCalls {

  /**
   * Throws where calls of the vendor are known to fail now.
   *
   * @throws dev.octroi.services.Failure 503
   */
  void requireReachable();

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

  /**
   * A call that is to be placed.
   *
   * @param from the caller id, E.164
   * @param to who is called, E.164
   * @param task what the assistant is to do, in plain words
   * @param voice one of the vendor's voices
   * @param maxMinutes when the vendor is to end it, 1 to 30
   * @param firstSentence what the assistant says first; its own choice if empty
   * @param waitForGreeting whether the assistant lets the other side speak first
   * @param webhook where the vendor is to tell of its end; nowhere if empty
   */
  record CallOrder(
      String from,
      String to,
      String task,
      String voice,
      int maxMinutes,
      Optional<String> firstSentence,
      boolean waitForGreeting,
      Optional<URI> webhook) {

    public static final int DEFAULT_MINUTES = 5;
    public static final int MOST_MINUTES = 30;

    /** The same, of whose end the vendor is to tell there. */
    public CallOrder toldAt(Optional<URI> address) {
      return new CallOrder(
          from, to, task, voice, maxMinutes, firstSentence, waitForGreeting, address);
    }
  }

  /**
   * What the vendor says of a call.
   *
   * @param minutes how long it lasted, so far or in all
   * @param answeredBy such as {@code human} or {@code voicemail}
   * @param transcript turns separated by a newline, each prefixed with its speaker
   * @param recording an address of the vendor's
   * @param transferredTo whom it was handed to, E.164
   */
  record CallReport(
      CallStatus status,
      Optional<BigDecimal> minutes,
      Optional<String> answeredBy,
      Optional<String> transcript,
      Optional<String> recording,
      Optional<String> transferredTo) {

    /** A report of nothing but where the call stands. */
    public static CallReport of(CallStatus status) {
      return new CallReport(
          status,
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          Optional.empty());
    }
  }

  /** What came of asking the vendor for something that cannot be undone. */
  sealed interface Placed {

    /**
     * It did it.
     *
     * @param reference the vendor's id of the call
     */
    record Done(String reference) implements Placed {}

    /** It certainly did not. */
    record Refused(VendorRefusal why) implements Placed {}

    /** Not known whether the vendor did it. */
    record Unknown() implements Placed {}
  }

  /**
   * Where a call stands (specification, voice call statuses). It only moves forward, and what has
   * ended stays as it ended (decisions, voice statuses).
   */
  enum CallStatus {
    INITIATED(0),
    RINGING(1),
    IN_PROGRESS(2),
    COMPLETED(3),
    FAILED(3),
    NO_ANSWER(3),
    BUSY(3);

    private static final int ENDED = 3;

    private final int stage;

    CallStatus(int stage) {
      this.stage = stage;
    }

    /** As the specification spells it. */
    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }

    /**
     * The status that the specification spells so.
     *
     * @throws IllegalArgumentException for any other word
     */
    public static CallStatus of(String word) {
      return Arrays.stream(values())
          .filter(status -> status.word().equals(word))
          .findFirst()
          .orElseThrow(() -> new IllegalArgumentException("no status of a call: " + word));
    }

    public boolean hasEnded() {
      return stage == ENDED;
    }

    /**
     * The status of a call that had this one when the vendor reported another. Reports may be late,
     * repeated, out of order, or skip a status, so the status only moves forward. A call that was
     * in progress was neither busy nor left unanswered: where the vendor reports that, it has
     * failed.
     */
    public CallStatus after(CallStatus reported) {
      if (reported.stage <= stage) {
        return this;
      }
      boolean unanswered = reported == NO_ANSWER || reported == BUSY;
      return this == IN_PROGRESS && unanswered ? FAILED : reported;
    }
  }
}
