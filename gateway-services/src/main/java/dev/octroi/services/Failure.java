package dev.octroi.services;

import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A call that ends without an answer, uncharged. The message is for the caller: it names the
 * parameter or says what to do, and holds nothing of the inside.
 */
public final class Failure extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final ErrorCode code;
  private final transient @Nullable Duration retryAfter;

  public Failure(ErrorCode code, String message) {
    this(code, message, null, null);
  }

  public Failure(
      ErrorCode code, String message, @Nullable Duration retryAfter, @Nullable Throwable cause) {
    super(message, cause);
    this.code = code;
    this.retryAfter = retryAfter;
  }

  /** 400 {@code invalid_params}. */
  public static Failure invalid(String message) {
    return new Failure(ErrorCode.INVALID_PARAMS, message);
  }

  /**
   * Looks at what a caller gave.
   *
   * @throws Failure 400 {@code invalid_params} unless it holds
   */
  public static void require(boolean holds, String message) {
    if (!holds) {
      throw invalid(message);
    }
  }

  public ErrorCode code() {
    return code;
  }

  public Optional<Duration> retryAfter() {
    return Optional.ofNullable(retryAfter);
  }
}
