package dev.octroi.reference.sandbox.language;

import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import javax.imageio.ImageIO;
import org.jspecify.annotations.Nullable;

/** What the model sees of a picture or document: its form and its size. */
final class Pictures {

  private static final int PIXELS_PER_TOKEN = 750;
  private static final int MOST_TOKENS = 1_600;

  private Pictures() {}

  static String described(Asked.Picture picture) {
    if (!picture.address().isEmpty()) {
      return "a picture at " + picture.address();
    }
    BufferedImage image = image(picture);
    String size = image == null ? "" : ", " + image.getWidth() + " by " + image.getHeight();
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
    BufferedImage image = image(picture);
    return image == null
        ? MOST_TOKENS
        : Math.min(MOST_TOKENS, 1 + (long) image.getWidth() * image.getHeight() / PIXELS_PER_TOKEN);
  }

  private static @Nullable BufferedImage image(Asked.Picture picture) {
    try {
      return ImageIO.read(new ByteArrayInputStream(picture.bytes()));
    } catch (IOException unreadable) {
      return null;
    }
  }
}
