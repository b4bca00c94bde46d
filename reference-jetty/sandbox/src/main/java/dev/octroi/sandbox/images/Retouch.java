package dev.octroi.sandbox.images;

/** Paints over a picture where its mask lets it; the rest stays as it was, bit by bit. */
final class Retouch {

  private static final int FULL = 0xFF;

  private Retouch() {}

  /**
   * The edited picture.
   *
   * @param mask of the same size: painted where it is transparent
   */
  static Picture through(Picture mask, Picture original, Picture painted) {
    Picture result = Picture.empty(original.width(), original.height());
    for (int at = 0; at < result.pixels().length; at++) {
      int kept = mask.pixels()[at] >>> 24;
      result.pixels()[at] = blended(original.pixels()[at], painted.pixels()[at], kept);
    }
    return result;
  }

  /** The edit without a mask: the whole picture, half kept; most of it where it should be like. */
  static Picture all(Picture original, Picture painted, boolean faithful) {
    Picture result = Picture.empty(original.width(), original.height());
    for (int at = 0; at < result.pixels().length; at++) {
      result.pixels()[at] =
          blended(original.pixels()[at], painted.pixels()[at], faithful ? 192 : 128);
    }
    return result;
  }

  private static int blended(int original, int painted, int kept) {
    if (kept == FULL) {
      return original;
    }
    int result = 0;
    for (int shift = 0; shift < 32; shift += 8) {
      int one = original >>> shift & 0xFF;
      int other = painted >>> shift & 0xFF;
      result |= ((one * kept + other * (FULL - kept)) / FULL) << shift;
    }
    return result;
  }
}
