package dev.octroi.payments.ledger;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/**
 * How payers and nonces lie in the database: on EVM networks the bytes that the hex stands for,
 * elsewhere the text's bytes. Each network uses one form, so that two keys never meet by accident.
 */
public final class KeyBytes {

  private static final String EVM = "eip155:";
  private static final String HEX_PREFIX = "0x";
  private static final int MAX_TEXT = 256;

  private KeyBytes() {}

  public static byte[] of(String network, String text) {
    if (text.isEmpty() || text.length() > MAX_TEXT) {
      throw new IllegalArgumentException("a payer or nonce has 1 to 256 characters");
    }
    if (!network.startsWith(EVM)) {
      return text.getBytes(StandardCharsets.UTF_8);
    }
    if (!text.startsWith(HEX_PREFIX)) {
      throw new IllegalArgumentException("payers and nonces of " + EVM + " networks are 0x-hex");
    }
    return HexFormat.of().parseHex(text, HEX_PREFIX.length(), text.length());
  }

  public static String text(String network, byte[] bytes) {
    return network.startsWith(EVM)
        ? HEX_PREFIX + HexFormat.of().formatHex(bytes)
        : new String(bytes, StandardCharsets.UTF_8);
  }

  static byte[] hash(String hex) {
    return HexFormat.of().parseHex(hex);
  }
}
