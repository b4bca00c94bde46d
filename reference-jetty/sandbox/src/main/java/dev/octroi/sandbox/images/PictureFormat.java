package dev.octroi.sandbox.images;

import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.Locale;
import javax.imageio.IIOImage;
import javax.imageio.ImageIO;
import javax.imageio.ImageReadParam;
import javax.imageio.ImageReader;
import javax.imageio.ImageWriteParam;
import javax.imageio.ImageWriter;
import javax.imageio.stream.MemoryCacheImageInputStream;
import javax.imageio.stream.MemoryCacheImageOutputStream;

/** The formats that pictures are written in. AWT is loaded when the first one is. */
enum PictureFormat {
  PNG,
  JPEG,
  WEBP;

  private static final int LARGEST_SIDE = 8192;

  static PictureFormat named(String word) {
    return Arrays.stream(values())
        .filter(format -> format.word().equals(word))
        .findFirst()
        .orElseThrow(() -> Refused.wrong("output_format", "must be png, jpeg or webp"));
  }

  String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  String mediaType() {
    return "image/" + word();
  }

  boolean isTransparent() {
    return this != JPEG;
  }

  /**
   * The bytes of a picture.
   *
   * @param compression 0 to 100, for JPEG: 100 is the best picture
   */
  byte[] write(Picture picture, int compression) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(64 << 10);
    try {
      switch (this) {
        case PNG -> write(picture, bytes, 100);
        case JPEG -> write(picture, bytes, compression);
        case WEBP -> new WebpWriter(picture).writeTo(bytes);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  private void write(Picture picture, ByteArrayOutputStream bytes, int compression)
      throws IOException {
    ImageWriter writer = ImageIO.getImageWritersByFormatName(word()).next();
    try (MemoryCacheImageOutputStream out = new MemoryCacheImageOutputStream(bytes)) {
      writer.setOutput(out);
      ImageWriteParam how = writer.getDefaultWriteParam();
      if (this == JPEG) {
        how.setCompressionMode(ImageWriteParam.MODE_EXPLICIT);
        how.setCompressionQuality(compression / 100f);
      }
      writer.write(null, new IIOImage(image(picture), null, null), how);
    } finally {
      writer.dispose();
    }
  }

  private BufferedImage image(Picture picture) {
    boolean opaque = this == JPEG || picture.isOpaque();
    BufferedImage image =
        new BufferedImage(
            picture.width(),
            picture.height(),
            opaque ? BufferedImage.TYPE_INT_RGB : BufferedImage.TYPE_INT_ARGB);
    image.setRGB(0, 0, picture.width(), picture.height(), picture.pixels(), 0, picture.width());
    return image;
  }

  /**
   * How large a PNG is.
   *
   * @param parameter to be named where it is none, or too large
   */
  static Size sizeOf(byte[] bytes, String parameter) {
    return withPng(bytes, parameter, reader -> new Size(reader.getWidth(0), reader.getHeight(0)));
  }

  /** Both sides in pixels. */
  record Size(int width, int height) {}

  /**
   * The pixels of a PNG: all of them are read, and one of so many rows and columns kept.
   *
   * @param every 1 for all
   */
  static Picture readPng(byte[] bytes, String parameter, int every) {
    return withPng(
        bytes,
        parameter,
        reader -> {
          ImageReadParam param = reader.getDefaultReadParam();
          param.setSourceSubsampling(every, every, 0, 0);
          BufferedImage image = reader.read(0, param);
          int width = image.getWidth();
          int height = image.getHeight();
          return new Picture(width, height, image.getRGB(0, 0, width, height, null, 0, width));
        });
  }

  /** What is done with a reader of a PNG. */
  @FunctionalInterface
  private interface PngWork<T> {
    T with(ImageReader reader) throws IOException;
  }

  private static <T> T withPng(byte[] bytes, String parameter, PngWork<T> work) {
    ImageReader reader = ImageIO.getImageReadersByFormatName(PNG.word()).next();
    try (MemoryCacheImageInputStream in =
        new MemoryCacheImageInputStream(new ByteArrayInputStream(bytes))) {
      reader.setInput(in, true, true);
      if (reader.getWidth(0) > LARGEST_SIDE || reader.getHeight(0) > LARGEST_SIDE) {
        throw Refused.wrong(parameter, "the picture is too large");
      }
      return work.with(reader);
    } catch (IOException | IndexOutOfBoundsException e) {
      throw Refused.wrong(parameter, "is not a PNG");
    } finally {
      reader.dispose();
    }
  }
}
