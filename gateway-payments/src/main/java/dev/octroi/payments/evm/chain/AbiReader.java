package dev.octroi.payments.evm.chain;

import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Reads ABI-encoded data that a stranger made: every place is checked against the data's length.
 * Its methods throw {@link IllegalArgumentException} where the data is not what it should be.
 *
 * @param data the whole
 * @param base where the tuple begins that offsets count from
 */
record AbiReader(byte[] data, int base) {

  static final int WORD = 32;

  /** The tuple or array whose place stands in a word. */
  AbiReader at(int index) {
    return new AbiReader(data, base + number(index));
  }

  /** What follows so many words. */
  AbiReader after(int words) {
    return new AbiReader(data, base + words * WORD);
  }

  byte[] word(int index) {
    long start = base + (long) index * WORD;
    if (start < 0 || start + WORD > data.length) {
      throw new IllegalArgumentException("the data is too short");
    }
    return Arrays.copyOfRange(data, (int) start, (int) start + WORD);
  }

  boolean flag(int index) {
    return word(index)[WORD - 1] != 0;
  }

  /** A place or a length, neither of which exceeds the data's. */
  int number(int index) {
    byte[] word = word(index);
    long number = ByteBuffer.wrap(word).getLong(WORD - Long.BYTES);
    boolean small = ByteBuffer.wrap(word).slice(0, WORD - Long.BYTES).equals(ZEROS.duplicate());
    if (!small || number < 0 || number > data.length - base) {
      throw new IllegalArgumentException("a place lies outside of the data");
    }
    return (int) number;
  }

  /** The byte string whose place stands in a word. */
  byte[] bytes(int index) {
    AbiReader string = at(index);
    int length = string.number(0);
    int start = string.base + WORD;
    if (length > data.length - start) {
      throw new IllegalArgumentException("the data is too short");
    }
    return Arrays.copyOfRange(data, start, start + length);
  }

  private static final ByteBuffer ZEROS =
      ByteBuffer.wrap(new byte[WORD - Long.BYTES]).asReadOnlyBuffer();
}
