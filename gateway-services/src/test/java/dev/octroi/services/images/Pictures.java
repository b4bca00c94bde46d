package dev.octroi.services.images;

import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Base64;
import javax.imageio.ImageIO;

/** Pictures for tests. */
final class Pictures {

  private Pictures() {}

  static byte[] png(int width, int height, boolean alpha) {
    return drawn(
        width, height, alpha ? BufferedImage.TYPE_INT_ARGB : BufferedImage.TYPE_INT_RGB, "png");
  }

  static byte[] jpeg(int width, int height) {
    return drawn(width, height, BufferedImage.TYPE_INT_RGB, "jpeg");
  }

  static String base64(byte[] picture) {
    return Base64.getEncoder().encodeToString(picture);
  }

  private static byte[] drawn(int width, int height, int type, String format) {
    BufferedImage image = new BufferedImage(width, height, type);
    Graphics2D pen = image.createGraphics();
    pen.setColor(Color.ORANGE);
    pen.fillOval(0, 0, width / 2, height / 2);
    pen.dispose();
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try {
      ImageIO.write(image, format, out);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return out.toByteArray();
  }
}
