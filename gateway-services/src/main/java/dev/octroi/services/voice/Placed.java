package dev.octroi.services.voice;

/** What came of asking the vendor for something that cannot be undone. */
public sealed interface Placed {

  /**
   * It did it.
   *
   * @param reference the vendor's id of the call
   */
  record Done(String reference) implements Placed {}

  /**
   * It certainly did not.
   *
   * @param reason in our own words, for the caller
   */
  record Refused(String reason) implements Placed {}

  /** Not known whether the vendor did it. */
  record Unknown() implements Placed {}
}
