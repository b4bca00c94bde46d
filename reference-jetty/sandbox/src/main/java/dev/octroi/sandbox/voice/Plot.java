package dev.octroi.sandbox.voice;

import java.time.Duration;

/** How a call goes, chosen by the last digits of the number that is called ({@code README.md}). */
enum Plot {
  ANSWERED("", Duration.ofSeconds(1), "completed", "human"),
  IS_BUSY("5550101", Duration.ZERO, "busy", ""),
  NOT_ANSWERED("5550102", Duration.ZERO, "no-answer", "no-answer"),
  FAILS("5550103", Duration.ZERO, "failed", ""),
  /** The call is placed, but the answer to its order is cut off. */
  ANSWER_LOST("5550104", Duration.ofSeconds(1), "completed", "human"),
  /** The call is placed, but its order is never answered. */
  HANGS("5550105", Duration.ofSeconds(1), "completed", "human"),
  /** Answered at once, and never ends by itself. */
  ENDLESS("5550106", Duration.ofDays(365), "completed", "human"),
  /** The order is refused, in an answer of 200. */
  REFUSED("5550107", Duration.ZERO, "failed", ""),
  /** The order is cut off before the call is placed. */
  ORDER_LOST("5550108", Duration.ZERO, "failed", ""),
  VOICEMAIL("5550109", Duration.ofSeconds(1), "completed", "voicemail");

  private static final Duration QUEUED = Duration.ofMillis(100);
  private static final Duration RINGING = Duration.ofMillis(300);

  private final String digits;
  private final Duration talk;
  private final String end;
  private final String answeredBy;

  Plot(String digits, Duration talk, String end, String answeredBy) {
    this.digits = digits;
    this.talk = talk;
    this.end = end;
    this.answeredBy = answeredBy;
  }

  static Plot of(String number) {
    for (Plot plot : values()) {
      if (plot != ANSWERED && number.endsWith(plot.digits)) {
        return plot;
      }
    }
    return ANSWERED;
  }

  /** From its order until it rings. */
  Duration queued() {
    return this == ENDLESS ? Duration.ZERO : QUEUED;
  }

  /** From its order until it is answered, or rings no more. */
  Duration unanswered() {
    return this == ENDLESS ? Duration.ZERO : RINGING;
  }

  /** From its answer until its end. */
  Duration talk() {
    return talk;
  }

  boolean isAnswered() {
    return !talk.isZero();
  }

  /** The vendor's word for how it ends. */
  String end() {
    return end;
  }

  /** The vendor's word for who answers; empty where it says none. */
  String answeredBy() {
    return answeredBy;
  }
}
