package dev.octroi.api.openapi;

import dev.octroi.api.price.RowPrice;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;

/**
 * The description as it is sent.
 *
 * @param prices what it was made with
 * @param bytes JSON
 * @param tag the strong entity tag, without quotes
 */
public record Edition(List<RowPrice> prices, byte[] bytes, String tag) {

  private static final int TAG_BYTES = 16;

  static Edition of(List<RowPrice> prices, byte[] bytes) {
    return new Edition(List.copyOf(prices), bytes, digest(bytes));
  }

  private static String digest(byte[] bytes) {
    try {
      byte[] whole = MessageDigest.getInstance("SHA-256").digest(bytes);
      return HexFormat.of().formatHex(whole, 0, TAG_BYTES);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
