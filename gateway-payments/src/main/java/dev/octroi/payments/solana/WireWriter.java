package dev.octroi.payments.solana;

import java.io.ByteArrayOutputStream;

/** Writes what {@link WireReader} reads. */
final class WireWriter {

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();

  WireWriter u8(int value) {
    out.write(value);
    return this;
  }

  WireWriter bytes(byte[] bytes) {
    out.writeBytes(bytes);
    return this;
  }

  /** A number of so many bytes, the lowest first. */
  WireWriter number(long value, int bytes) {
    for (int i = 0; i < bytes; i++) {
      out.write((int) (value >>> (8 * i)));
    }
    return this;
  }

  /** The length of an array, 0 to 65535. */
  WireWriter count(int count) {
    int left = count;
    while (left > 0x7f) {
      out.write((left & 0x7f) | 0x80);
      left >>>= 7;
    }
    out.write(left);
    return this;
  }

  WireWriter array(byte[] bytes) {
    return count(bytes.length).bytes(bytes);
  }

  byte[] toBytes() {
    return out.toByteArray();
  }
}
