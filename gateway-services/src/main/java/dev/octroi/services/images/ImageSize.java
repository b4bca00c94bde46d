package dev.octroi.services.images;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The size of a picture.
 *
 * @param width in pixels, above zero
 * @param height in pixels, above zero
 */
public record ImageSize(int width, int height) {

  private static final Pattern WORD = Pattern.compile("([1-9][0-9]{0,4})x([1-9][0-9]{0,4})");

  /** Reads {@code 1024x1024}; empty for a text that is no size. */
  public static Optional<ImageSize> of(String text) {
    Matcher word = WORD.matcher(text);
    return word.matches()
        ? Optional.of(
            new ImageSize(Integer.parseInt(word.group(1)), Integer.parseInt(word.group(2))))
        : Optional.empty();
  }

  /** Pixels in all. */
  public long pixels() {
    return (long) width * height;
  }

  @Override
  public String toString() {
    return width + "x" + height;
  }
}
