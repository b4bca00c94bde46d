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
  private final @Nullable String detail;

  public Failure(ErrorCode code, String message) {
    this(code, message, null, null);
  }

  public Failure(
      ErrorCode code, String message, @Nullable Duration retryAfter, @Nullable Throwable cause) {
    this(code, message, retryAfter, cause, null);
  }

  /**
   * The same with what the operator learns besides.
   *
   * @param detail a few words that name no value
   */
  public Failure(
      ErrorCode code,
      @Nullable String message,
      @Nullable Duration retryAfter,
      @Nullable Throwable cause,
      @Nullable String detail) {
    super(message, cause);
    this.code = code;
    this.retryAfter = retryAfter;
    this.detail = detail;
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

  /** The same with this one as its cause, for each thread that waited for what failed. */
  public Failure again() {
    return new Failure(code, getMessage(), retryAfter, this, detail);
  }

  /** What the operator learns besides the message, and no caller does. */
  public Optional<String> detail() {
    return Optional.ofNullable(detail);
  }

  public ErrorCode code() {
    return code;
  }

  public Optional<Duration> retryAfter() {
    return Optional.ofNullable(retryAfter);
  }
}
