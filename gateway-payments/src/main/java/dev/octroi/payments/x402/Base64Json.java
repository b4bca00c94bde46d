package dev.octroi.payments.x402;

import java.util.Base64;

/** Header values: standard padded base64 of bytes. */
final class Base64Json {

  private Base64Json() {}

  static String encode(byte[] bytes) {
    return Base64.getEncoder().encodeToString(bytes);
  }

  /**
   * Decodes the one canonical spelling of some bytes.
   *
   * @throws MalformedPayment if the text is too long, or not base64, or not padded, or another
   *     spelling of the same bytes
   */
  static byte[] decode(String text, int maxChars) {
    if (text.length() > maxChars) {
      throw new MalformedPayment("The payment header is too long.");
    }
    byte[] bytes;
    try {
      bytes = Base64.getDecoder().decode(text);
    } catch (IllegalArgumentException e) {
      throw new MalformedPayment("The payment header is not standard base64.");
    }
    if (!encode(bytes).equals(text)) {
      throw new MalformedPayment("The payment header is not padded base64.");
    }
    return bytes;
  }
}
