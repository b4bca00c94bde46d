package dev.octroi.payments.flow;

/** Where a paid call stands, from its claim to the last byte of its answer. */
enum CallState {
  /** The method is at work under the claim. */
  RUNNING,
  /** The money has moved, and the method is still at work. */
  PAID,
  /** The answer is there, or took too long: what becomes of the claim is being decided. */
  CONCLUDED,
  /** What was paid for is on its way. */
  LEAVING,
  /** Nothing is left to do for the call. */
  ENDED;

  /** The money has moved. */
  CallState paid() {
    return this == RUNNING ? PAID : this == CONCLUDED ? LEAVING : this;
  }

  /** One thread decides what becomes of the claim; only from {@link #isOpen open} calls. */
  CallState concluded() {
    return this == PAID ? LEAVING : CONCLUDED;
  }

  /** Whether it is undecided what becomes of the claim. */
  boolean isOpen() {
    return this == RUNNING || this == PAID;
  }

  /** Whether the call was paid for, and its answer has neither arrived nor certainly not. */
  boolean owes() {
    return this == PAID || this == LEAVING;
  }
}
