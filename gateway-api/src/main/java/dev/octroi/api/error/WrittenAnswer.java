package dev.octroi.api.error;

/**
 * Whether the answer of the call that came in on this thread has been written. What fails after
 * that is its connection: some implementations of JAX-RS map it like a failure of the method. A
 * thread on which a host completes its asynchronous calls began none of them, so that an answer
 * says nothing of the next failure there. Thread-safe.
 */
public final class WrittenAnswer {

  private static final ThreadLocal<Boolean> WRITTEN = new ThreadLocal<>();

  private WrittenAnswer() {}

  /** A call comes in on this thread. */
  public static void begin() {
    WRITTEN.set(Boolean.FALSE);
  }

  /** All of the answer has been handed to the server. */
  public static void end() {
    if (WRITTEN.get() != null) {
      WRITTEN.set(Boolean.TRUE);
    }
  }

  static boolean isEnded() {
    return Boolean.TRUE.equals(WRITTEN.get());
  }
}
