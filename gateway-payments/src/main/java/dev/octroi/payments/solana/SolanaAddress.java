package dev.octroi.payments.solana;

import java.util.Arrays;

/** An account of Solana: 32 bytes, compared as bytes, shown in base58. */
public final class SolanaAddress {

  public static final int BYTES = 32;

  private final byte[] bytes;

  private SolanaAddress(byte[] bytes) {
    this.bytes = bytes;
  }

  /**
   * Reads the base58 spelling.
   *
   * @throws IllegalArgumentException if the text is not base58 of 32 bytes
   */
  public static SolanaAddress parse(String text) {
    return of(Base58.decode(text));
  }

  /** Throws {@link IllegalArgumentException} if these are not 32 bytes. */
  public static SolanaAddress of(byte[] bytes) {
    if (bytes.length != BYTES) {
      throw new IllegalArgumentException("an address of Solana has 32 bytes");
    }
    return new SolanaAddress(bytes.clone());
  }

  byte[] bytes() {
    return bytes.clone();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof SolanaAddress address && Arrays.equals(bytes, address.bytes);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(bytes);
  }

  /** The address in base58. */
  @Override
  public String toString() {
    return Base58.encode(bytes);
  }
}
