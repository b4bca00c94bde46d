package dev.octroi.api.voice;

/** Which numbers calls may come from. Thread-safe. */
@FunctionalInterface
public interface CallerIds {

  /**
   * Whether a number is leased to an owner now.
   *
   * @param owner as {@link dev.octroi.payments.Payment#owner} names them
   * @param number E.164
   */
  boolean isOwned(String owner, String number);
}
