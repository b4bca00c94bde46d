package dev.octroi.payments;

/** When the money of a paid call moves. */
public enum Settle {
  /**
   * Once the method has answered with success and before the answer leaves; a failure is never
   * charged.
   */
  AFTER,
  /**
   * When the method says so, through {@link Payment#settle}, right before an effect that cannot be
   * undone and after everything that could refuse the call has been checked.
   */
  BEFORE
}
