package dev.octroi.services.phone;

/**
 * A text message.
 *
 * @param body 1 to 1,600 characters, what the vendor takes as one message
 */
public record TextMessage(PhoneNumber from, PhoneNumber to, String body) {

  public static final int LONGEST = 1_600;
}
