package dev.octroi.sandbox.images;

import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads what a request asks for, with the vendor's own limits and defaults. */
final class OrderReader {

  static final String FILTERED = "sandbox:filtered";

  private static final Pattern SIZE = Pattern.compile("([1-9][0-9]{1,3})x([1-9][0-9]{1,3})");
  private static final int DEFAULT_SIDE = 1024;
  private static final int LARGEST_SIDE = 4096;
  private static final int LONGEST_AUTO = 1536;
  private static final int BEST = 100;

  private final Fields fields;
  private final boolean edit;

  OrderReader(Fields fields, boolean edit) {
    this.fields = fields;
    this.edit = edit;
  }

  Order read() {
    String prompt = fields.text("prompt").orElse("");
    if (prompt.isBlank()) {
      throw Refused.wrong("prompt", "must not be blank");
    }
    if (prompt.contains(FILTERED)) {
      throw new Refused(
          "moderation_blocked", "Your request was rejected by the safety system. (sandbox)");
    }
    int count = fields.number("n", 1);
    boolean stream = fields.flag("stream");
    if (stream && count > 1) {
      throw Refused.wrong("n", "must be 1 for a stream");
    }
    List<Given> originals =
        fields.files("image", "image[]", "images").stream()
            .map(bytes -> Given.png(bytes, "image"))
            .toList();
    Optional<Given> mask =
        fields.files("mask").stream().findFirst().map(bytes -> Given.png(bytes, "mask"));
    requireSameSize(mask, originals);
    return new Order(
        edit,
        prompt,
        count,
        originals,
        mask,
        form(originals),
        fields.text("response_format").filter("url"::equals).isPresent(),
        stream,
        fields.number("partial_images", 0));
  }

  private static void requireSameSize(Optional<Given> mask, List<Given> originals) {
    if (mask.isPresent()
        && !originals.isEmpty()
        && !mask.get().size().equals(originals.get(0).size())) {
      throw Refused.wrong("mask", "must have the size of the image");
    }
  }

  private Order.Form form(List<Given> originals) {
    PictureFormat format = PictureFormat.named(fields.text("output_format").orElse("png"));
    String background = fields.text("background").orElse("auto");
    boolean transparent = background.equals("transparent");
    if (transparent && !format.isTransparent()) {
      throw Refused.wrong("background", "a JPEG cannot be transparent");
    }
    String size = fields.text("size").orElse("auto");
    int width = originals.isEmpty() ? DEFAULT_SIDE : originals.get(0).size().width();
    int height = originals.isEmpty() ? DEFAULT_SIDE : originals.get(0).size().height();
    // The vendor's own choice is never larger than this, whatever it is given.
    int smaller = (Math.max(width, height) + LONGEST_AUTO - 1) / LONGEST_AUTO;
    width = Math.max(1, width / smaller);
    height = Math.max(1, height / smaller);
    if (!size.equals("auto")) {
      Matcher sides = SIZE.matcher(size);
      if (!sides.matches()) {
        throw new IllegalStateException(size);
      }
      width = side(sides.group(1));
      height = side(sides.group(2));
    }
    return new Order.Form(
        width,
        height,
        format,
        fields.number("output_compression", BEST),
        transparent,
        fields.text("input_fidelity").filter("high"::equals).isPresent(),
        fields.text("quality").orElse("auto"));
  }

  private static int side(String digits) {
    int side = Integer.parseInt(digits);
    if (side > LARGEST_SIDE) {
      throw Refused.wrong("size", "no side may be longer than " + LARGEST_SIDE);
    }
    return side;
  }
}
