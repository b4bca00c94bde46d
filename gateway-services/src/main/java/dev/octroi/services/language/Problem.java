package dev.octroi.services.language;

import java.util.Set;
import java.util.regex.Pattern;
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

  /** How vendors call it that an account has no money, or no good key, where they say 400. */
  private static final Set<String> OF_ACCOUNT =
      Set.of("billing_hard_limit_reached", "insufficient_quota", "invalid_api_key");

  private static final Pattern WORDS_OF_ACCOUNT =
      Pattern.compile(
          "(?i)(your credit balance is too low|billing hard limit has been reached"
              + "|api key (not valid|expired)).*",
          Pattern.DOTALL);

  /** Whether an error is about the seller's account, and no fault of the request. */
  public static boolean isOfAccount(String message, @Nullable String code) {
    return (code != null && OF_ACCOUNT.contains(code))
        || WORDS_OF_ACCOUNT.matcher(message).matches();
  }

  public static Problem of(int status, String message, @Nullable String code) {
    return new Problem(Kind.of(status), status, message, null, code);
  }

  /**
   * The upstream's error as the payer is told it. A fault in the prompt is the payer's to mend, so
   * its words pass; our credentials, our account and the upstream's failures are not, and their
   * words may tell of the inside.
   */
  public Problem forPayer() {
    if (isOfAccount(message, code)) {
      return of(502, "The upstream failed", "upstream_failed");
    }
    return switch (kind) {
      case INVALID_REQUEST, TOO_LARGE -> this;
      case RATE_LIMIT, OVERLOADED -> of(503, "The upstream is overloaded", "upstream_unavailable");
      case TIMEOUT -> of(502, "The upstream did not answer in time", "upstream_failed");
      default -> of(502, "The upstream failed", "upstream_failed");
    };
  }
}
