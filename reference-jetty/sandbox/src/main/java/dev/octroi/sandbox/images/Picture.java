package dev.octroi.sandbox.images;

/**
 * Pixels, without anything of AWT.
 *
 * @param pixels ARGB, row by row, not premultiplied; changed in place by who made them
 */
record Picture(int width, int height, int[] pixels) {

  static Picture empty(int width, int height) {
    return new Picture(width, height, new int[width * height]);
  }

  /** The same at another size, each pixel the nearest of this. */
  Picture scaled(int newWidth, int newHeight) {
    if (newWidth == width && newHeight == height) {
      return this;
    }
    Picture scaled = empty(newWidth, newHeight);
    for (int y = 0; y < newHeight; y++) {
      int row = (int) ((long) y * height / newHeight) * width;
      for (int x = 0; x < newWidth; x++) {
        scaled.pixels[y * newWidth + x] = pixels[row + (int) ((long) x * width / newWidth)];
      }
    }
    return scaled;
  }

  boolean isOpaque() {
    for (int pixel : pixels) {
      if (pixel >>> 24 != 0xFF) {
        return false;
      }
    }
    return true;
  }
}
