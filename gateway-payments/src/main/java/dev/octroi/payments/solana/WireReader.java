package dev.octroi.payments.solana;

import java.util.Arrays;

/**
 * Reads the chain's wire format from the front, never past the end. Every count is checked against
 * the bytes that are left before anything is made of it.
 */
final class WireReader {

  private static final int COMPACT_BYTES = 3;
  private static final int SEVEN_BITS = 0x7f;
  private static final int MORE = 0x80;
  private static final int MAX_U16 = 0xffff;

  private final byte[] bytes;
  private int position;

  WireReader(byte[] bytes) {
    this.bytes = bytes;
  }

  /** One unsigned byte. */
  int u8() {
    require(1);
    return bytes[position++] & 0xff;
  }

  /** So many bytes. */
  byte[] bytes(int count) {
    require(count);
    position += count;
    return Arrays.copyOfRange(bytes, position - count, position);
  }

  SolanaAddress address() {
    return SolanaAddress.of(bytes(SolanaAddress.BYTES));
  }

  /**
   * The length of an array whose elements have at least so many bytes, as a compact-u16: seven bits
   * a byte, the lowest first, in its shortest form.
   */
  int count(int leastElementBytes) {
    int count = compact();
    require(Math.multiplyExact(count, leastElementBytes));
    return count;
  }

  /** An array of bytes behind its length. */
  byte[] array() {
    return bytes(count(1));
  }

  byte[] rest() {
    return bytes(bytes.length - position);
  }

  /** Nothing may follow what was read. */
  void end() {
    if (position != bytes.length) {
      throw new MalformedTransaction("bytes follow its end");
    }
  }

  private int compact() {
    int value = 0;
    for (int i = 0; i < COMPACT_BYTES; i++) {
      int next = u8();
      value |= (next & SEVEN_BITS) << (7 * i);
      if ((next & MORE) == 0) {
        if ((next == 0 && i > 0) || value > MAX_U16) {
          break;
        }
        return value;
      }
    }
    throw new MalformedTransaction("a length is not in its shortest form");
  }

  private void require(int count) {
    if (bytes.length - position < count) {
      throw new MalformedTransaction("it ends too early");
    }
  }

  /** Bytes that are no transaction, or one that the chain would not take in either. */
  static final class MalformedTransaction extends RuntimeException {

    private static final long serialVersionUID = 1L;

    MalformedTransaction(String what) {
      // Without a stack trace: a flood of rubbish must stay cheap to refuse.
      super(what, null, false, false);
    }
  }

  /**
   * A number whose lowest byte comes first, as the chain's programs keep them: unsigned, of at most
   * eight bytes; with eight, the highest bit is the sign's.
   */
  static long littleEndian(byte[] data, int offset, int bytes) {
    long value = 0;
    for (int i = bytes - 1; i >= 0; i--) {
      value = value << 8 | (data[offset + i] & 0xff);
    }
    return value;
  }
}
