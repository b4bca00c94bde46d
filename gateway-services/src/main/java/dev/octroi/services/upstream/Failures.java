package dev.octroi.services.upstream;

import dev.octroi.services.ErrorCode;
import dev.octroi.services.Failure;
import dev.octroi.services.VendorRefusal;
import java.net.ConnectException;
import java.net.http.HttpConnectTimeoutException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * What a caller is told when an upstream gives no answer: 502 when it failed at the call, 503 when
 * it cannot be called now. Never its address, never an exception's text.
 */
public final class Failures {

  private static final Duration SOON = Duration.ofSeconds(1);
  private static final String LATE = "The upstream did not answer in time";
  private static final String UNREADABLE = "The upstream's answer could not be read";
  private static final String REFUSED = "The upstream refused the call";

  private Failures() {}

  /** The upstream did not answer before the deadline. */
  public static Failure late() {
    return failed(LATE, null);
  }

  /** Whether these are the words of a failure of an upstream that did not answer in time. */
  public static boolean isLate(@Nullable String message) {
    return LATE.equals(message);
  }

  /**
   * The upstream's answer is not what its contract says.
   *
   * @param what is wrong with it, for the operator
   */
  public static Failure unreadable(String what) {
    return new Failure(ErrorCode.UPSTREAM_FAILED, UNREADABLE, null, null, what);
  }

  /** The same, where the log has the exception that says what is wrong. */
  static Failure unreadable(Throwable cause) {
    return failed(UNREADABLE, cause);
  }

  /**
   * Looks at what the upstream's contract promises of an answer.
   *
   * @param broken what is wrong with the answer where it is not kept, for the operator
   * @throws Failure 502 unless it is kept
   */
  public static void require(boolean kept, String broken) {
    if (!kept) {
      throw unreadable(broken);
    }
  }

  /**
   * An error of the upstream's that is not the caller's fault: 503 for 429 and 503, with the time
   * it asked for, else 502.
   */
  public static Failure of(UpstreamAnswer answer) {
    if (answer.status() == 429 || answer.status() == 503) {
      Duration wait = answer.retryAfter().orElse(SOON);
      return unavailable("The upstream is overloaded", wait, null);
    }
    return failed("The upstream failed", null);
  }

  /** So many calls are under way that another would only hold a thread. */
  public static Failure full() {
    return unavailable("Too many calls wait for the upstream", SOON, null);
  }

  static Failure open(Duration openFor) {
    return unavailable("The upstream is down", openFor, null);
  }

  static Failure refused() {
    return failed(REFUSED, null);
  }

  /**
   * Why a call that failed so certainly did nothing at the upstream: it was not sent at all, or our
   * credential was refused. Empty if it may have done something.
   */
  public static Optional<VendorRefusal> withoutEffect(Failure failure) {
    boolean unsent =
        failure.code() == ErrorCode.UPSTREAM_UNAVAILABLE
            && !(failure.getCause() instanceof InterruptedException);
    if (unsent) {
      return Optional.of(VendorRefusal.BUSY);
    }
    return REFUSED.equals(failure.getMessage())
        ? Optional.of(VendorRefusal.ACCOUNT)
        : Optional.empty();
  }

  static Failure interrupted(InterruptedException cause) {
    return unavailable("The gateway is stopping", SOON, cause);
  }

  /** The failure that stands for an exception of the call. */
  static Failure of(Throwable error) {
    Throwable cause = unwrapped(error);
    if (cause instanceof Failure failure) {
      return failure;
    }
    if (cause instanceof TimeoutException) {
      return late();
    }
    if (notConnected(cause)) {
      return unavailable("The upstream cannot be reached", SOON, cause);
    }
    return failed("The upstream's answer broke off", cause);
  }

  static boolean notConnected(Throwable error) {
    return error instanceof ConnectException || error instanceof HttpConnectTimeoutException;
  }

  static Throwable unwrapped(Throwable error) {
    Throwable cause = error.getCause();
    boolean wrapper = error instanceof CompletionException || error instanceof ExecutionException;
    return wrapper && cause != null ? unwrapped(cause) : error;
  }

  private static Failure failed(String message, @Nullable Throwable cause) {
    return new Failure(ErrorCode.UPSTREAM_FAILED, message, null, cause);
  }

  private static Failure unavailable(String message, Duration wait, @Nullable Throwable cause) {
    return new Failure(ErrorCode.UPSTREAM_UNAVAILABLE, message, wait, cause);
  }
}
