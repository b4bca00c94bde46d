package dev.octroi.services.images;

/**
 * What decides the price of a call.
 *
 * @param n pictures, 1 to {@value #MOST}
 */
public record ImageQuote(ImageModel model, ImageSize size, int n) {

  /** Pictures of one call at most (decisions, images). */
  public static final int MOST = 10;

  /** In millionths of a dollar. */
  public long micros() {
    return Math.multiplyExact(model.micros(), n);
  }
}
