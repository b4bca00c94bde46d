package dev.octroi.services.images;

import dev.octroi.services.Failure;
import java.util.List;
import java.util.Optional;

/**
 * Pictures to be changed, and how.
 *
 * @param pictures one at least
 * @param mask whose transparent areas are changed; everything is, without one
 */
public record ImageEdit(
    ImageOrder order, List<GivenPicture> pictures, Optional<GivenPicture> mask) {

  /** Pictures of one edit at most. */
  public static final int MOST = 16;

  /** Throws a {@link Failure}, 400, if the mask does not fit the picture. */
  public ImageEdit {
    pictures = List.copyOf(pictures);
    if (pictures.isEmpty()) {
      throw ImageBody.invalid("image is missing");
    }
    if (pictures.size() > MOST) {
      throw ImageBody.invalid("images has at most " + MOST + " pictures");
    }
    requireFitting(pictures.get(0), mask);
  }

  private static void requireFitting(GivenPicture picture, Optional<GivenPicture> mask) {
    if (mask.isEmpty()) {
      return;
    }
    if (!mask.get().alpha()) {
      throw ImageBody.invalid("mask has no transparency");
    }
    if (!mask.get().size().equals(picture.size())) {
      throw ImageBody.invalid(
          "mask is " + mask.get().size() + " and the picture " + picture.size());
    }
  }
}
