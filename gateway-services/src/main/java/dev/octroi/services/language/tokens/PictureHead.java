package dev.octroi.services.language.tokens;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/** Reads the size of a picture from its first bytes, without decoding what anyone may have sent. */
public final class PictureHead {

  /** Not known. */
  private static final long UNKNOWN = 0;

  private static final int PNG_SIZE = 16;
  private static final int GIF_SIZE = 6;
  private static final int WEBP_CHUNK = 12;
  private static final int WEBP_SIZE = 24;

  private PictureHead() {}

  /** Width in the upper half, height in the lower; 0 for what is no PNG, GIF, JPEG or WebP. */
  public static long size(byte[] head) {
    ByteBuffer bytes = ByteBuffer.wrap(head);
    if (begins(head, 0, "\u0089PNG\r\n") && head.length >= PNG_SIZE + 8) {
      return size(bytes.getInt(PNG_SIZE), bytes.getInt(PNG_SIZE + 4));
    }
    if (begins(head, 0, "GIF8") && head.length >= GIF_SIZE + 4) {
      bytes.order(ByteOrder.LITTLE_ENDIAN);
      return size(bytes.getChar(GIF_SIZE), bytes.getChar(GIF_SIZE + 2));
    }
    if (begins(head, 0, "RIFF") && head.length >= WEBP_SIZE + 6) {
      return webp(head, bytes.order(ByteOrder.LITTLE_ENDIAN));
    }
    return begins(head, 0, "\u00ff\u00d8\u00ff") ? jpeg(bytes) : UNKNOWN;
  }

  private static long webp(byte[] head, ByteBuffer bytes) {
    if (begins(head, WEBP_CHUNK, "VP8X")) {
      int width = bytes.getInt(WEBP_SIZE) & 0xffffff;
      int height = bytes.getInt(WEBP_SIZE + 2) >>> 8;
      return size(width + 1, height + 1);
    }
    if (begins(head, WEBP_CHUNK, "VP8L")) {
      int packed = bytes.getInt(WEBP_CHUNK + 9);
      return size((packed & 0x3fff) + 1, ((packed >>> 14) & 0x3fff) + 1);
    }
    boolean lossy = begins(head, WEBP_CHUNK, "VP8 ");
    return lossy
        ? size(bytes.getChar(WEBP_SIZE + 2) & 0x3fff, bytes.getChar(WEBP_SIZE + 4) & 0x3fff)
        : UNKNOWN;
  }

  /** Walks over the segments to the one that begins the frame. */
  private static long jpeg(ByteBuffer bytes) {
    int at = 2;
    while (at + 9 <= bytes.limit() && (bytes.get(at) & 0xff) == 0xff) {
      int marker = bytes.get(at + 1) & 0xff;
      if (marker == 0xff) {
        at++;
      } else if (frame(marker)) {
        return size(bytes.getChar(at + 7), bytes.getChar(at + 5));
      } else {
        at += 2 + bytes.getChar(at + 2);
      }
    }
    return UNKNOWN;
  }

  /** SOF0 to SOF15, without the tables that lie between them. */
  private static boolean frame(int marker) {
    return marker >= 0xc0 && marker <= 0xcf && marker != 0xc4 && marker != 0xc8 && marker != 0xcc;
  }

  private static long size(int width, int height) {
    return width <= 0 || height <= 0 ? UNKNOWN : (long) width << Integer.SIZE | height;
  }

  private static boolean begins(byte[] head, int at, String sign) {
    byte[] expected = sign.getBytes(StandardCharsets.ISO_8859_1);
    return head.length >= at + expected.length
        && new String(head, at, expected.length, StandardCharsets.ISO_8859_1).equals(sign);
  }
}
