package dev.octroi.payments;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

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

  /**
   * One step of a payment that has ended, well or not.
   *
   * @param kind which
   * @param outcome how it ended, a word of a small closed set such as {@code valid}, {@code
   *     in_flight} or {@code settled}
   * @param began {@link System#nanoTime} at its beginning
   * @param ended {@link System#nanoTime} at its end
   * @param network where the money is, as CAIP-2 id
   * @param payer the payer's address in its chain's form; null where the step does not tell it
   * @param payment the ledger's id; null before there is a claim
   * @param charge what was charged; null unless it was
   * @param transaction what moved the money, or is on its way to; null if nothing does
   */
  record PaymentStep(
      Kind kind,
      String outcome,
      long began,
      long ended,
      String network,
      @Nullable String payer,
      @Nullable String payment,
      @Nullable Usd charge,
      @Nullable String transaction) {

    /** The steps, in their order. */
    public enum Kind {
      /** A facilitator said whether the payment is good. */
      VERIFY,
      /** The ledger said whether it may pay for this call. */
      CLAIM,
      /** The money was moved, or was not. */
      SETTLE,
      /** The payment was given back uncharged. */
      RELEASE;

      /** How figures name it. */
      public String word() {
        return name().toLowerCase(Locale.ROOT);
      }
    }
  }
}
