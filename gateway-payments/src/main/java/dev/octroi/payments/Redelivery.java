package dev.octroi.payments;

/**
 * What the same payment gets again when it was settled but its answer did not arrive (money rule
 * 3).
 */
public enum Redelivery {
  /** The answer, stored encrypted in the commit that began the settlement. */
  STORED,
  /** A new run of the method, at most {@value #MAX_RERUNS} times: for reads without effects. */
  REREAD,
  /**
   * The stored answer, else a new run of the method, as often as asked and one at a time: for
   * methods that settle {@linkplain Settle#BEFORE before} an effect which is a row of its own. The
   * method finds {@link Payment#isSettled} and what became of its effect.
   */
  RESUMED;

  public static final int MAX_RERUNS = 3;
}
