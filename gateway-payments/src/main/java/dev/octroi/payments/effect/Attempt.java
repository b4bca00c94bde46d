package dev.octroi.payments.effect;

/** What a vendor said, or is known to have done, about an effect. */
public sealed interface Attempt {

  /**
   * It was done.
   *
   * @param reference the vendor's id of it, 1 to 256 characters
   * @param details what else is known of it, in the form of its connector, at most 4,000 characters
   */
  record Done(String reference, String details) implements Attempt {}

  /**
   * It certainly was not done and will not be.
   *
   * @param reason for the operator and the caller, at most 200 characters
   */
  record NotDone(String reason) implements Attempt {}

  /** Which of the two is not known: a timeout, a broken connection, an answer that says neither. */
  record Unknown() implements Attempt {}
}
