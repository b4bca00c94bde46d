package dev.octroi.payments.evm;

import java.util.HexFormat;

/** Bytes as EVM tools spell them: {@code 0x} and two hex digits for each byte, in either case. */
public final class Hex {

  private static final HexFormat DIGITS = HexFormat.of();

  private Hex() {}

  /** Throws {@link IllegalArgumentException} if the text is not {@code 0x} and whole bytes. */
  public static byte[] parse(String text) {
    if (!text.startsWith("0x")) {
      throw new IllegalArgumentException("hex begins with 0x");
    }
    return DIGITS.parseHex(text, 2, text.length());
  }

  /** The bytes in lower case. */
  public static String of(byte[] bytes) {
    return "0x" + DIGITS.formatHex(bytes);
  }
}
