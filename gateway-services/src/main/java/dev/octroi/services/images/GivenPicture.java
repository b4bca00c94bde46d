package dev.octroi.services.images;

import dev.octroi.services.Failure;
import dev.octroi.services.images.ImageCatalogue.ImageSizes.ImageSize;
import dev.octroi.services.images.Images.PictureType;
import java.awt.image.BufferedImage;
import java.io.IOException;
import javax.imageio.ImageIO;
import javax.imageio.ImageReadParam;
import javax.imageio.ImageReader;
import javax.imageio.stream.ImageInputStream;
import javax.imageio.stream.ImageInputStreamImpl;

/**
 * A PNG that a caller gave, which has been decoded from its first pixel to its last.
 *
 * @param bytes as they were given; do not modify
 * @param alpha whether its pixels can be transparent
 */
public record GivenPicture(byte[] bytes, ImageSize size, boolean alpha) {

  /** Specification, limits: image edit input. */
  public static final int MAX_BYTES = 4 << 20;

  /** Of a side; what 4 MiB of a PNG inflate to beyond that is no picture but an attack. */
  private static final int MAX_SIDE = 8_192;

  private static final long MAX_PIXELS = 4_096L * 4_096;

  /** Every pixel is decoded, and one of so many rows and columns kept. */
  private static final int KEPT = 16;

  /**
   * Checks and decodes.
   *
   * @param name of the member, for the caller
   * @throws Failure 400 for what is no PNG, is damaged, or is too large
   */
  public static GivenPicture read(String name, byte[] bytes) {
    if (bytes.length > MAX_BYTES) {
      throw Failure.invalid(name + " is larger than 4 MB");
    }
    PictureType type =
        PictureType.of(bytes).orElseThrow(() -> Failure.invalid(name + " is not a PNG"));
    if (type != PictureType.PNG) {
      throw Failure.invalid(name + " is a " + type.word() + " and not a PNG");
    }
    ImageReader reader = ImageIO.getImageReadersByFormatName("png").next();
    try (ImageInputStream in = new GivenBytes(bytes)) {
      // Without metadata: texts and profiles in a PNG are compressed too, and are not needed.
      reader.setInput(in, true, true);
      ImageSize size = size(name, reader);
      return new GivenPicture(bytes, size, decoded(reader));
    } catch (IOException | RuntimeException damaged) {
      if (damaged instanceof Failure failure) {
        throw failure;
      }
      throw Failure.invalid(name + " is damaged");
    } finally {
      reader.dispose();
    }
  }

  /** Known before a pixel is decoded. */
  private static ImageSize size(String name, ImageReader reader) throws IOException {
    ImageSize size = new ImageSize(reader.getWidth(0), reader.getHeight(0));
    boolean large = size.width() > MAX_SIDE || size.height() > MAX_SIDE;
    if (large || size.pixels() > MAX_PIXELS) {
      throw Failure.invalid(name + " has more than " + MAX_PIXELS + " pixels");
    }
    return size;
  }

  private static boolean decoded(ImageReader reader) throws IOException {
    ImageReadParam param = reader.getDefaultReadParam();
    param.setSourceSubsampling(KEPT, KEPT, 0, 0);
    BufferedImage image = reader.read(0, param);
    return image.getColorModel().hasAlpha();
  }

  /**
   * The bytes where they are: the library's own streams keep a second copy, and call a picture
   * damaged where there is no memory for it.
   */
  private static final class GivenBytes extends ImageInputStreamImpl {

    private final byte[] bytes;

    GivenBytes(byte[] bytes) {
      this.bytes = bytes;
    }

    @Override
    public int read() {
      bitOffset = 0;
      return streamPos < bytes.length ? bytes[(int) streamPos++] & 0xFF : -1;
    }

    @Override
    public int read(byte[] buffer, int offset, int length) {
      bitOffset = 0;
      int read = (int) Math.min(length, bytes.length - streamPos);
      if (read <= 0) {
        return length == 0 ? 0 : -1;
      }
      System.arraycopy(bytes, (int) streamPos, buffer, offset, read);
      streamPos += read;
      return read;
    }

    @Override
    public long length() {
      return bytes.length;
    }
  }
}
