package dev.octroi.api.settings;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A number of bytes, written {@code 512B}, {@code 64KiB}, {@code 4MiB} or {@code 1GiB}.
 *
 * @param bytes 0 and up
 */
public record DataSize(long bytes) {

  private static final Pattern FORM = Pattern.compile("([0-9]{1,10}) ?(B|KiB|MiB|GiB)");

  /** Reads the written form; throws {@link IllegalArgumentException} for any other. */
  public static DataSize parse(String text) {
    Matcher form = FORM.matcher(text);
    if (!form.matches()) {
      throw new IllegalArgumentException("a size is a number and B, KiB, MiB or GiB, such as 4MiB");
    }
    int shift =
        switch (form.group(2)) {
          case "KiB" -> 10;
          case "MiB" -> 20;
          case "GiB" -> 30;
          default -> 0;
        };
    return new DataSize(Math.multiplyExact(Long.parseLong(form.group(1)), 1L << shift));
  }

  /** The same as an array length; throws {@link ArithmeticException} above 2 GiB. */
  public int length() {
    return Math.toIntExact(bytes);
  }
}
