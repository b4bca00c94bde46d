package dev.octroi.payments;

/**
 * What the same payment gets again when it was settled but its answer did not arrive (money rule
 * 3).
 */
public enum Redelivery {
  /** The answer, stored encrypted in the commit that began the settlement. */
  STORED,
  /** A new run of the method, at most {@value #MAX_RERUNS} times: for reads without effects. */
  REREAD;

  public static final int MAX_RERUNS = 3;
}
