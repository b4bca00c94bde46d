package dev.octroi.reference.sandbox.images;

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
    List<Picture> originals,
    Optional<Picture> mask,
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

  /** One of the pictures. */
  Picture picture(int number) {
    Picture painted =
        new Painter(prompt, number)
            .paint(form.width(), form.height(), form.transparent() && originals.isEmpty());
    if (originals.isEmpty()) {
      return painted;
    }
    Picture original = originals.get(0).scaled(form.width(), form.height());
    return mask.map(hole -> hole.scaled(form.width(), form.height()))
        .map(hole -> Retouch.through(hole, original, painted))
        .orElseGet(() -> Retouch.all(original, painted, form.faithful()));
  }

  /** One of the pictures as bytes. */
  byte[] bytes(int number) {
    return form.format().write(picture(number), form.compression());
  }
}
