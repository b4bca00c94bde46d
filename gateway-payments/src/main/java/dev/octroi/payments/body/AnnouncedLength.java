package dev.octroi.payments.body;

import dev.octroi.payments.Exchange;

/**
 * How long a body is said to be, in bytes. Containers tell it as an {@code int}, and some fail over
 * one that is longer.
 */
public final class AnnouncedLength {

  /** {@code Content-Length} is missing, or the body comes in chunks. */
  public static final long UNKNOWN = -1;

  private static final int MOST_DIGITS = 18;

  private AnnouncedLength() {}

  /** The length; {@link Long#MAX_VALUE} for one that no number holds. */
  public static long of(Exchange request) {
    String said = request.header("Content-Length");
    if (said == null || !said.strip().matches("[0-9]+")) {
      return UNKNOWN;
    }
    String digits = said.strip();
    return digits.length() > MOST_DIGITS ? Long.MAX_VALUE : Long.parseLong(digits);
  }
}
