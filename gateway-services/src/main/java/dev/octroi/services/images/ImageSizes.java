package dev.octroi.services.images;

import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The sizes that a model draws.
 *
 * @param listed those that are told
 * @param range others that it draws too
 */
public record ImageSizes(List<ImageSize> listed, Optional<Range> range) {

  public ImageSizes {
    listed = List.copyOf(listed);
  }

  /**
   * Sides from the least to the most, in steps.
   *
   * @param least pixels
   * @param most pixels
   * @param step what each side is a multiple of
   */
  public record Range(int least, int most, int step) {

    public Range {
      if (least < 1 || most < least || step < 1) {
        throw new IllegalArgumentException("a range of sizes has a least, a most and a step");
      }
    }

    boolean contains(int side) {
      return side >= least && side <= most && side % step == 0;
    }

    @Override
    public String toString() {
      return least + " to " + most + " each side, in multiples of " + step;
    }
  }

  boolean contain(ImageSize size) {
    return listed.contains(size)
        || range
            .filter(one -> one.contains(size.width()) && one.contains(size.height()))
            .isPresent();
  }

  /** For a caller who asked for another. */
  String told() {
    String all = listed.stream().map(ImageSize::toString).collect(Collectors.joining(", "));
    return range.map(one -> one + " (such as " + all + ")").orElse(all);
  }
}
