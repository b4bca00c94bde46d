package dev.octroi.payments.x402;

/**
 * A 402, ready to send.
 *
 * @param header the value of {@code PAYMENT-REQUIRED}: base64, at most {@value #MAX_HEADER_CHARS}
 *     characters
 * @param body the JSON body: ASCII, the same object with {@code price}, {@code code} and extensions
 */
public record Challenge(String header, byte[] body) {

  /** Longest challenge header (decisions, size of the challenge header). */
  public static final int MAX_HEADER_CHARS = 4 * 1024;
}
