package dev.octroi.payments.ledger;

import dev.octroi.payments.chain.ChainFamily;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HexFormat;

/**
 * How payers and nonces lie in the database: as the bytes of their {@linkplain ChainFamily chain}.
 * Each network uses one form, so that two keys never meet by accident.
 */
public final class KeyBytes {

  private static final int MAX_TEXT = 256;

  private KeyBytes() {}

  public static byte[] of(String network, String text) {
    if (text.isEmpty() || text.length() > MAX_TEXT) {
      throw new IllegalArgumentException("a payer or nonce has 1 to 256 characters");
    }
    return ChainFamily.of(network).bytes(text);
  }

  public static String text(String network, byte[] bytes) {
    return ChainFamily.of(network).key(bytes);
  }

  /** The same of a column, in a row that names its network. */
  public static String text(ResultSet row, String column) throws SQLException {
    return text(row.getString("network"), row.getBytes(column));
  }

  public static byte[] hash(String hex) {
    return HexFormat.of().parseHex(hex);
  }
}
