package dev.octroi.reference.doctor;

/**
 * What was found in one place.
 *
 * @param subject what was looked at, such as {@code database}
 * @param what what was found there
 * @param advice what to do; empty where nothing is
 */
public record Finding(String subject, Level level, String what, String advice) {

  /** How bad it is. */
  public enum Level {
    GOOD,
    /** The gateway serves, but look at it. */
    WARNING,
    /** The gateway does not start, or cannot serve or be paid. */
    BAD
  }

  static Finding good(String subject, String what) {
    return new Finding(subject, Level.GOOD, what, "");
  }

  static Finding warning(String subject, String what, String advice) {
    return new Finding(subject, Level.WARNING, what, advice);
  }

  static Finding bad(String subject, String what, String advice) {
    return new Finding(subject, Level.BAD, what, advice);
  }
}
