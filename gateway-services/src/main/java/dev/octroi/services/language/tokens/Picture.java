package dev.octroi.services.language.tokens;

/**
 * One picture.
 *
 * @param width pixels; 0 if not known, as for a picture behind an address
 * @param height pixels; 0 if not known
 * @param original whether it is asked to be read unreduced
 */
public record Picture(int width, int height, boolean original) {

  private static final int TILE = 512;
  private static final int BASE_TOKENS = 300;
  private static final int TILE_TOKENS = 640;

  /** Vendors reduce larger pictures before a model reads them. */
  private static final int MOST = 5_000;

  /** Unless they are asked not to. */
  private static final int MOST_ORIGINAL = 20_000;

  public static final Picture UNKNOWN = new Picture(0, 0, false);

  /** The picture whose file begins so; its size stays unknown where the form is. */
  public static Picture of(byte[] head, boolean original) {
    long size = PictureHead.size(head);
    return new Picture((int) (size >>> Integer.SIZE), (int) size, original);
  }

  /**
   * More than any of the vendors' published rules makes of it: those count an area (750 pixels a
   * token), tiles (170 tokens and a base, or 258) or patches (32 pixels square, weighted).
   */
  long atMost() {
    long most = original ? MOST_ORIGINAL : MOST;
    if (width <= 0 || height <= 0) {
      return most;
    }
    long tiles = tiles(width) * tiles(height);
    return Math.min(most, BASE_TOKENS + TILE_TOKENS * tiles);
  }

  private static long tiles(int pixels) {
    return (pixels + TILE - 1L) / TILE;
  }
}
