package dev.octroi.payments;

/**
 * Is told of each step of payments as it ends, for figures, traces and logs. Told on the thread of
 * the call, which waits for it: implementations return at once. What one throws is logged and harms
 * no call. Thread-safe.
 */
@FunctionalInterface
public interface PaymentObserver {

  /** Looks away. */
  PaymentObserver NONE = step -> {};

  /** Takes note. */
  void ended(PaymentStep step);
}
