package dev.octroi.services.language;

import org.jspecify.annotations.Nullable;

/**
 * An error as all protocols can tell it.
 *
 * @param status HTTP status
 * @param message for the caller
 * @param param the member at fault; null where none is
 * @param code the vendor's or the gateway's short word; null where there is none
 */
public record Problem(
    Kind kind, int status, String message, @Nullable String param, @Nullable String code) {

  /** What went wrong, with the status that says so where an upstream gave none. */
  public enum Kind {
    INVALID_REQUEST(400),
    AUTHENTICATION(401),
    BILLING(402),
    PERMISSION(403),
    NOT_FOUND(404),
    TOO_LARGE(413),
    RATE_LIMIT(429),
    FAILED(500),
    UPSTREAM(502),
    OVERLOADED(503),
    TIMEOUT(504);

    private final int status;

    Kind(int status) {
      this.status = status;
    }

    public int status() {
      return status;
    }

    /** The kind that a status stands for. */
    public static Kind of(int status) {
      for (Kind kind : values()) {
        if (kind.status == status) {
          return kind;
        }
      }
      if (status == OVERLOADED_AT_ONE_VENDOR) {
        return OVERLOADED;
      }
      return status >= 500 ? FAILED : INVALID_REQUEST;
    }
  }

  private static final int OVERLOADED_AT_ONE_VENDOR = 529;

  public static Problem of(int status, String message, @Nullable String code) {
    return new Problem(Kind.of(status), status, message, null, code);
  }

  /**
   * The upstream's error as the payer is told it. A fault in the prompt is the payer's to mend, so
   * its words pass; our credentials, our account and the upstream's failures are not, and their
   * words may tell of the inside.
   */
  public Problem forPayer() {
    return switch (kind) {
      case INVALID_REQUEST, TOO_LARGE -> this;
      case RATE_LIMIT, OVERLOADED -> of(503, "The upstream is overloaded", "upstream_unavailable");
      case TIMEOUT -> of(502, "The upstream did not answer in time", "upstream_failed");
      default -> of(502, "The upstream failed", "upstream_failed");
    };
  }
}
