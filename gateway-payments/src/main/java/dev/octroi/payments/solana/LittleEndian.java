package dev.octroi.payments.solana;

/** Numbers with the lowest byte first, as the chain's programs keep them. */
final class LittleEndian {

  private LittleEndian() {}

  /** An unsigned number of at most eight bytes; with eight, the highest bit is the sign's. */
  static long read(byte[] data, int offset, int bytes) {
    long value = 0;
    for (int i = bytes - 1; i >= 0; i--) {
      value = value << 8 | (data[offset + i] & 0xff);
    }
    return value;
  }
}
