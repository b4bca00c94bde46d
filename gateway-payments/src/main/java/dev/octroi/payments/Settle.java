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
  BEFORE,
  /**
   * When a later call finds the work done that an earlier one ordered: the tariff notes a {@link
   * Deferral}, and the method moves the money through {@link Payment#settle} once it has taken the
   * work's one payment for itself (money rule 9).
   */
  LATER
}
