package dev.octroi.payments.solana;

import java.util.Arrays;

/**
 * Bytes as Solana spells them: digits and letters without those that look alike.
 *
 * <p>Conversion takes time that grows with the square of the length, so that both directions are
 * bounded.
 */
public final class Base58 {

  /** The most bytes that are converted, more than any key, hash or signature has. */
  public static final int MAX_BYTES = 128;

  /** Characters of the longest spelling of {@link #MAX_BYTES}. */
  private static final int MAX_CHARS = 175;

  private static final char[] ALPHABET =
      "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz".toCharArray();

  private static final int BASE = ALPHABET.length;
  private static final char ZERO = ALPHABET[0];
  private static final int[] DIGITS = digits();

  private Base58() {}

  /** Spells at most {@link #MAX_BYTES} bytes; each leading zero byte is a leading {@code 1}. */
  public static String encode(byte[] bytes) {
    if (bytes.length > MAX_BYTES) {
      throw new IllegalArgumentException("at most " + MAX_BYTES + " bytes are spelled in base58");
    }
    char[] text = new char[MAX_CHARS];
    int start = MAX_CHARS;
    for (byte next : bytes) {
      int carry = next & 0xff;
      int i = MAX_CHARS - 1;
      for (; i >= start || carry != 0; i--) {
        carry += (i >= start ? text[i] : 0) << 8;
        text[i] = (char) (carry % BASE);
        carry /= BASE;
      }
      start = i + 1;
    }
    for (int i = start; i < MAX_CHARS; i++) {
      text[i] = ALPHABET[text[i]];
    }
    for (int i = 0; i < bytes.length && bytes[i] == 0; i++) {
      text[--start] = ZERO;
    }
    return new String(text, start, MAX_CHARS - start);
  }

  /**
   * Reads what {@link #encode} writes.
   *
   * @throws IllegalArgumentException if the text has another character or stands for more than
   *     {@link #MAX_BYTES} bytes; the message does not repeat it, for it may be a key
   */
  public static byte[] decode(String text) {
    if (text.length() > MAX_CHARS) {
      throw new IllegalArgumentException("a base58 text is at most " + MAX_CHARS + " long");
    }
    byte[] bytes = new byte[MAX_CHARS];
    int start = MAX_CHARS;
    for (int c = 0; c < text.length(); c++) {
      int carry = digit(text.charAt(c));
      int i = MAX_CHARS - 1;
      for (; i >= start || carry != 0; i--) {
        carry += (bytes[i] & 0xff) * BASE;
        bytes[i] = (byte) carry;
        carry >>>= 8;
      }
      start = i + 1;
    }
    for (int c = 0; c < text.length() && text.charAt(c) == ZERO; c++) {
      start--;
    }
    if (MAX_CHARS - start > MAX_BYTES) {
      throw new IllegalArgumentException("a base58 text is at most " + MAX_BYTES + " bytes");
    }
    return Arrays.copyOfRange(bytes, start, MAX_CHARS);
  }

  private static int digit(char character) {
    int digit = character < DIGITS.length ? DIGITS[character] : -1;
    if (digit < 0) {
      throw new IllegalArgumentException("a character is not of base58");
    }
    return digit;
  }

  private static int[] digits() {
    int[] digits = new int[128];
    Arrays.fill(digits, -1);
    for (int i = 0; i < BASE; i++) {
      digits[ALPHABET[i]] = i;
    }
    return digits;
  }
}
