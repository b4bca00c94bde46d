package dev.octroi.sandbox.images;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/**
 * Writes lossless WebP (RFC 9649): one set of prefix codes, and copies of what stands to the left
 * or above. Written here because the libraries that write WebP are native, tens of megabytes for
 * all platforms; that it is right is proven by reading it with an independent reader.
 */
final class WebpWriter {

  private static final int SIGNATURE = 0x2F;
  private static final int LITERALS = 256;
  private static final int LENGTHS = 24;
  private static final int DISTANCES = 40;
  private static final int SHORTEST_COPY = 3;
  private static final int LONGEST_COPY = 4096;

  /** The first two distances of the format: one row up, one pixel to the left. */
  private static final int ABOVE = 0;

  private static final int LEFT = 1;

  private final Picture picture;

  WebpWriter(Picture picture) {
    this.picture = picture;
  }

  /** What the pixels come as. */
  private interface Tokens {

    void literal(int pixel);

    void copy(int length, int distance);
  }

  void writeTo(ByteArrayOutputStream out) {
    byte[] data = encoded();
    int padding = data.length & 1;
    ByteBuffer header = ByteBuffer.allocate(20).order(ByteOrder.LITTLE_ENDIAN);
    header.put("RIFF".getBytes(StandardCharsets.US_ASCII)).putInt(12 + data.length + padding);
    header.put("WEBPVP8L".getBytes(StandardCharsets.US_ASCII)).putInt(data.length);
    out.writeBytes(header.array());
    out.writeBytes(data);
    out.writeBytes(new byte[padding]);
  }

  private byte[] encoded() {
    Counts counts = new Counts();
    scan(counts);
    BitWriter out = new BitWriter();
    out.write(SIGNATURE, 8);
    out.write(picture.width() - 1, 14);
    out.write(picture.height() - 1, 14);
    out.write(picture.isOpaque() ? 0 : 1, 1);
    out.write(0, 3); // version
    out.write(0, 3); // no transform, no colour cache, one set of codes
    Codes codes = counts.codes();
    codes.describe(out);
    scan(new Writing(codes, out));
    return out.end();
  }

  private void scan(Tokens tokens) {
    int[] pixels = picture.pixels();
    int at = 0;
    while (at < pixels.length) {
      int above = same(pixels, at, picture.width());
      int left = same(pixels, at, 1);
      int length = Math.max(above, left);
      if (length >= SHORTEST_COPY) {
        tokens.copy(length, above >= left ? ABOVE : LEFT);
        at += length;
      } else {
        tokens.literal(pixels[at++]);
      }
    }
  }

  /** How many pixels are as those so far before them. */
  private static int same(int[] pixels, int at, int distance) {
    if (at < distance) {
      return 0;
    }
    int most = Math.min(LONGEST_COPY, pixels.length - at);
    int length = 0;
    while (length < most && pixels[at + length] == pixels[at + length - distance]) {
      length++;
    }
    return length;
  }

  /** The codes of green and lengths, red, blue, alpha, distances. */
  private record Codes(
      PrefixCode green, PrefixCode red, PrefixCode blue, PrefixCode alpha, PrefixCode distance) {

    void describe(BitWriter out) {
      green.describe(out);
      red.describe(out);
      blue.describe(out);
      alpha.describe(out);
      distance.describe(out);
    }
  }

  private static final class Counts implements Tokens {

    private final int[] green = new int[LITERALS + LENGTHS];
    private final int[] red = new int[LITERALS];
    private final int[] blue = new int[LITERALS];
    private final int[] alpha = new int[LITERALS];
    private final int[] distances = new int[DISTANCES];

    @Override
    public void literal(int pixel) {
      green[pixel >>> 8 & 0xFF]++;
      red[pixel >>> 16 & 0xFF]++;
      blue[pixel & 0xFF]++;
      alpha[pixel >>> 24]++;
    }

    @Override
    public void copy(int length, int distance) {
      green[LITERALS + prefix(length)]++;
      distances[distance]++;
    }

    Codes codes() {
      return new Codes(
          new PrefixCode(green),
          new PrefixCode(red),
          new PrefixCode(blue),
          new PrefixCode(alpha),
          new PrefixCode(distances));
    }
  }

  private record Writing(Codes codes, BitWriter out) implements Tokens {

    @Override
    public void literal(int pixel) {
      codes.green().write(pixel >>> 8 & 0xFF, out);
      codes.red().write(pixel >>> 16 & 0xFF, out);
      codes.blue().write(pixel & 0xFF, out);
      codes.alpha().write(pixel >>> 24, out);
    }

    @Override
    public void copy(int length, int distance) {
      codes.green().write(LITERALS + prefix(length), out);
      out.write(length - 1, extraBits(length));
      codes.distance().write(distance, out);
    }
  }

  /** The symbol of a length; lengths that share one are told apart by extra bits. */
  private static int prefix(int length) {
    int value = length - 1;
    if (value < 4) {
      return value;
    }
    int high = 31 - Integer.numberOfLeadingZeros(value);
    return 2 * high + (value >>> (high - 1) & 1);
  }

  private static int extraBits(int length) {
    int value = length - 1;
    return value < 4 ? 0 : 30 - Integer.numberOfLeadingZeros(value);
  }
}
