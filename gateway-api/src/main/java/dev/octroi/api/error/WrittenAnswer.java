package dev.octroi.api.error;

/**
 * Whether the answer of the call that this thread serves has been written. What fails after that is
 * its connection: some implementations of JAX-RS map it like a failure of the method. Thread-safe.
 */
public final class WrittenAnswer {

  private static final ThreadLocal<Boolean> WRITTEN = new ThreadLocal<>();

  private WrittenAnswer() {}

  /** A call begins on this thread. */
  public static void begin() {
    WRITTEN.remove();
  }

  /** All of the answer has been handed to the server. */
  public static void end() {
    WRITTEN.set(Boolean.TRUE);
  }

  static boolean isEnded() {
    return WRITTEN.get() != null;
  }
}
