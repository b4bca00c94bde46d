package dev.octroi.sandbox.language;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.Iterator;
import java.util.Optional;
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
    String size =
        size(picture).map(sides -> ", " + sides.width() + " by " + sides.height()).orElse("");
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
    return size(picture)
        .map(sides -> 1 + (long) sides.width() * sides.height() / PIXELS_PER_TOKEN)
        .map(tokens -> Math.min(MOST_TOKENS, tokens))
        .orElse((long) MOST_TOKENS);
  }

  /** Sides in pixels. */
  private record Size(int width, int height) {}

  /** As the file's head says: its pixels are not decoded, however many they are. */
  private static Optional<Size> size(Asked.Picture picture) {
    try (ImageInputStream in =
        new MemoryCacheImageInputStream(new ByteArrayInputStream(picture.bytes()))) {
      Iterator<ImageReader> readers = ImageIO.getImageReaders(in);
      if (!readers.hasNext()) {
        return Optional.empty();
      }
      ImageReader reader = readers.next();
      try {
        reader.setInput(in, true, true);
        return Optional.of(new Size(reader.getWidth(0), reader.getHeight(0)));
      } finally {
        reader.dispose();
      }
    } catch (IOException | RuntimeException unreadable) {
      return Optional.empty();
    }
  }
}
