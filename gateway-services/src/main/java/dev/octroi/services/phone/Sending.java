package dev.octroi.services.phone;

/** How the attempt to send a message ended. */
public sealed interface Sending {

  /**
   * The vendor has taken it.
   *
   * @param reference the vendor's id of it
   * @param status the vendor's word for what it does with it, such as {@code queued}
   */
  record Sent(String reference, String status) implements Sending {}

  /** The vendor said no, and certainly will not send it. */
  record Refused() implements Sending {}

  /** Not known whether the vendor took it: ask for what was sent. */
  record Unknown() implements Sending {}
}
