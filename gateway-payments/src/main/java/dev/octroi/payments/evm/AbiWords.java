package dev.octroi.payments.evm;

import java.math.BigInteger;
import java.nio.ByteBuffer;

/** Writes the 32-byte big-endian words of EVM encodings into an array by their index. */
public final class AbiWords {

  private AbiWords() {}

  /**
   * The words of these, one after the other.
   *
   * @param values 32 bytes each, or a number of 0 to 2^256 - 1, or an address
   */
  public static byte[] of(Object... values) {
    byte[] words = new byte[values.length * Keccak.BYTES];
    for (int i = 0; i < values.length; i++) {
      if (values[i] instanceof byte[] word) {
        write(words, i, word);
      } else if (values[i] instanceof EvmAddress address) {
        write(words, i, address);
      } else if (values[i] instanceof BigInteger number) {
        write(words, i, number);
      } else {
        write(words, i, ((Number) values[i]).longValue());
      }
    }
    return words;
  }

  /** Writes 32 bytes. */
  public static void write(byte[] words, int index, byte[] word) {
    System.arraycopy(word, 0, words, index * Keccak.BYTES, Keccak.BYTES);
  }

  /** Writes a number of 0 or more. */
  public static void write(byte[] words, int index, long value) {
    ByteBuffer.wrap(words).putLong((index + 1) * Keccak.BYTES - Long.BYTES, value);
  }

  /** Writes a number of 0 to 2^256 - 1. */
  public static void write(byte[] words, int index, BigInteger value) {
    byte[] bytes = value.toByteArray();
    int length = Math.min(bytes.length, Keccak.BYTES);
    System.arraycopy(
        bytes, bytes.length - length, words, (index + 1) * Keccak.BYTES - length, length);
  }

  /** Writes an address, which fills the last 20 bytes. */
  public static void write(byte[] words, int index, EvmAddress address) {
    address.writeWord(words, index * Keccak.BYTES);
  }
}
