package dev.octroi.sandbox.images;

/**
 * A PNG of a request, of which its head alone has been read.
 *
 * @param parameter it came as
 */
record Given(byte[] bytes, String parameter, PictureFormat.Size size) {

  /** Throws {@link Refused} for what is no PNG, or too large. */
  static Given png(byte[] bytes, String parameter) {
    return new Given(bytes, parameter, PictureFormat.sizeOf(bytes, parameter));
  }

  /** How many rows and columns make one, where no more pixels are needed than these. */
  private int every(int width, int height) {
    return Math.max(1, Math.min(size.width() / width, size.height() / height));
  }

  /** What decoding it for a picture of this size takes, in pixels. */
  long pixels(int width, int height) {
    long every = every(width, height);
    return (size.width() / every + 1) * (size.height() / every + 1);
  }

  /** All of it is read; what is kept is enough for a picture of this size. */
  Picture decoded(int width, int height) {
    return PictureFormat.readPng(bytes, parameter, every(width, height)).scaled(width, height);
  }
}
