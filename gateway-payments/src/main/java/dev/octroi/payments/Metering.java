package dev.octroi.payments;

/**
 * How a call is answered whose charge is known only afterwards; see {@link PricedRequest#metered}.
 */
public enum Metering {
  /** The answer leaves once the charge is known and paid. */
  HELD,
  /**
   * The answer is a stream that leaves before the charge is known: until it is paid, a payer that
   * signed a ceiling has it on credit.
   */
  STREAMED
}
