package dev.octroi.sandbox.images;

import java.io.ByteArrayOutputStream;

/** Packs bits, the least significant first. */
final class BitWriter {

  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream(64 << 10);
  private long buffer;
  private int filled;

  /**
   * Writes the lowest bits of a value.
   *
   * @param count 0 to 32
   */
  void write(int value, int count) {
    buffer |= (value & ((1L << count) - 1)) << filled;
    filled += count;
    while (filled >= 8) {
      bytes.write((int) buffer);
      buffer >>>= 8;
      filled -= 8;
    }
  }

  byte[] end() {
    if (filled > 0) {
      bytes.write((int) buffer);
    }
    return bytes.toByteArray();
  }
}
