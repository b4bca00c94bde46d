package dev.octroi.services.language.relay;

import dev.octroi.services.language.Part;
import dev.octroi.services.language.Source;
import dev.octroi.services.language.tokens.Picture;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.Base64;
import java.util.Iterator;
import javax.imageio.ImageIO;
import javax.imageio.ImageReader;
import javax.imageio.stream.ImageInputStream;
import javax.imageio.stream.MemoryCacheImageInputStream;

/** Reads the size of a picture off its first bytes, without decoding it. */
final class Pictures {

  /** What stands for a document behind an address, whose size nobody knows: a megabyte. */
  static final int LARGEST_DOCUMENT = 1 << 20;

  /** Where formats say their size, behind whatever metadata cameras put first. */
  private static final int HEAD = 96 * 1024;

  private Pictures() {}

  static Picture of(Part.Image image) {
    boolean original = "original".equals(image.detail());
    if (!(image.source() instanceof Source.Inline inline)) {
      return new Picture(0, 0, original);
    }
    try {
      String head = inline.base64().substring(0, Math.min(HEAD, inline.base64().length()) & ~3);
      return sized(Base64.getMimeDecoder().decode(head), original);
    } catch (IllegalArgumentException | IOException unreadable) {
      return new Picture(0, 0, original);
    }
  }

  private static Picture sized(byte[] head, boolean original) throws IOException {
    try (ImageInputStream in = new MemoryCacheImageInputStream(new ByteArrayInputStream(head))) {
      Iterator<ImageReader> readers = ImageIO.getImageReaders(in);
      if (!readers.hasNext()) {
        return new Picture(0, 0, original);
      }
      ImageReader reader = readers.next();
      try {
        reader.setInput(in, true, true);
        return new Picture(reader.getWidth(0), reader.getHeight(0), original);
      } finally {
        reader.dispose();
      }
    }
  }
}
