package dev.octroi.services.voice;

import java.util.Arrays;
import java.util.Locale;

/**
 * Where a call stands (specification, voice call statuses). It only moves forward, and what has
 * ended stays as it ended (decisions, voice statuses).
 */
public enum CallStatus {
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
   * repeated, out of order, or skip a status, so the status only moves forward. A call that was in
   * progress was neither busy nor left unanswered: where the vendor reports that, it has failed.
   */
  public CallStatus after(CallStatus reported) {
    if (reported.stage <= stage) {
      return this;
    }
    boolean unanswered = reported == NO_ANSWER || reported == BUSY;
    return this == IN_PROGRESS && unanswered ? FAILED : reported;
  }
}
