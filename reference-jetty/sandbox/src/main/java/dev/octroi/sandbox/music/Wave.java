package dev.octroi.sandbox.music;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/** Samples as a WAV file: one channel of 16 bits. */
final class Wave {

  /** Low, so that the longest track stays below 6 MB. */
  static final int SAMPLE_RATE = 16_000;

  private static final int HEADER = 44;
  private static final short PCM = 1;
  private static final short CHANNELS = 1;
  private static final short SAMPLE_BYTES = 2;

  private Wave() {}

  static byte[] file(short[] samples) {
    int length = samples.length * SAMPLE_BYTES;
    ByteBuffer file = ByteBuffer.allocate(HEADER + length).order(ByteOrder.LITTLE_ENDIAN);
    word(file, "RIFF").putInt(HEADER - 8 + length);
    word(file, "WAVEfmt ").putInt(16).putShort(PCM).putShort(CHANNELS);
    file.putInt(SAMPLE_RATE).putInt(SAMPLE_RATE * SAMPLE_BYTES);
    file.putShort(SAMPLE_BYTES).putShort((short) (SAMPLE_BYTES * Byte.SIZE));
    word(file, "data").putInt(length);
    file.asShortBuffer().put(samples);
    return file.array();
  }

  private static ByteBuffer word(ByteBuffer file, String word) {
    return file.put(word.getBytes(StandardCharsets.US_ASCII));
  }
}
