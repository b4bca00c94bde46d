package dev.octroi.sandbox.images;

import java.util.List;
import java.util.Optional;

/**
 * What a request asks for.
 *
 * @param edit whether it changes pictures
 * @param originals the pictures to change
 * @param mask where; empty for everywhere
 * @param form what the pictures are to be like
 * @param url whether their addresses are wanted and not their bytes
 * @param stream whether they come with pictures of their progress
 * @param partials how many of these
 */
record Order(
    boolean edit,
    String prompt,
    int count,
    List<Given> originals,
    Optional<Given> mask,
    Form form,
    boolean url,
    boolean stream,
    int partials) {

  /**
   * The outward form.
   *
   * @param compression 0 to 100, 100 for the best picture
   */
  record Form(
      int width,
      int height,
      PictureFormat format,
      int compression,
      boolean transparent,
      boolean faithful,
      String quality) {

    String size() {
      return width + "x" + height;
    }
  }

  /** What drawing it takes at most, in bytes: four for each pixel of each picture on the way. */
  long memory() {
    long pixels = 4L * form.width() * form.height();
    if (!originals.isEmpty()) {
      pixels += 2 * originals.get(0).pixels(form.width(), form.height());
    }
    if (mask.isPresent()) {
      pixels += 2 * mask.get().pixels(form.width(), form.height());
    }
    return Integer.BYTES * pixels;
  }
}
