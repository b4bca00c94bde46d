package dev.octroi.reference.sandbox.language;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.Iterator;
import javax.imageio.ImageIO;
import javax.imageio.ImageReader;
import javax.imageio.stream.ImageInputStream;
import javax.imageio.stream.MemoryCacheImageInputStream;

/** What the model sees of a picture or document: its form and its size. */
final class Pictures {

  private static final int PIXELS_PER_TOKEN = 750;
  private static final int MOST_TOKENS = 1_600;

  private Pictures() {}

  static String described(Asked.Picture picture) {
    if (!picture.address().isEmpty()) {
      return "a picture at " + picture.address();
    }
    int[] sides = sides(picture);
    String size = sides.length == 0 ? "" : ", " + sides[0] + " by " + sides[1];
    String kind = picture.mediaType().startsWith("image/") ? "a picture" : "a document";
    return kind
        + " ("
        + picture.mediaType()
        + ", "
        + picture.bytes().length
        + " bytes"
        + size
        + ")";
  }

  static long tokens(Asked.Picture picture) {
    int[] sides = sides(picture);
    return sides.length == 0
        ? MOST_TOKENS
        : Math.min(MOST_TOKENS, 1 + (long) sides[0] * sides[1] / PIXELS_PER_TOKEN);
  }

  /** Width and height, which the head of a picture tells; empty where it is none. */
  private static int[] sides(Asked.Picture picture) {
    try (ImageInputStream in =
        new MemoryCacheImageInputStream(new ByteArrayInputStream(picture.bytes()))) {
      Iterator<ImageReader> readers = ImageIO.getImageReaders(in);
      if (!readers.hasNext()) {
        return new int[0];
      }
      ImageReader reader = readers.next();
      try {
        reader.setInput(in, true, true);
        return new int[] {reader.getWidth(0), reader.getHeight(0)};
      } finally {
        reader.dispose();
      }
    } catch (IOException | RuntimeException unreadable) {
      return new int[0];
    }
  }
}
