package dev.octroi.sandbox.images;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads what a request asks for, with the vendor's own limits and defaults. */
final class OrderReader {

  static final String FILTERED = "sandbox:filtered";

  private static final Pattern SIZE = Pattern.compile("([1-9][0-9]{1,3})x([1-9][0-9]{1,3})");
  private static final Set<String> BACKGROUNDS = Set.of("transparent", "opaque", "auto");
  private static final int DEFAULT_SIDE = 1024;
  private static final int LARGEST_SIDE = 4096;
  private static final int LONGEST_AUTO = 1536;
  private static final int LONGEST_PROMPT = 32_000;
  private static final int MOST = 10;
  private static final int MOST_PARTIALS = 3;
  private static final int BEST = 100;

  private final Fields fields;
  private final boolean edit;

  OrderReader(Fields fields, boolean edit) {
    this.fields = fields;
    this.edit = edit;
  }

  Order read() {
    String prompt = fields.text("prompt").filter(text -> !text.isBlank()).orElse("");
    if (prompt.isEmpty() || prompt.length() > LONGEST_PROMPT) {
      throw Refused.wrong("prompt", "must have 1 to " + LONGEST_PROMPT + " characters");
    }
    if (prompt.contains(FILTERED)) {
      throw new Refused(
          "moderation_blocked", "Your request was rejected by the safety system. (sandbox)");
    }
    int count = fields.number("n", 1, MOST, 1);
    boolean stream = fields.flag("stream");
    if (stream && count > 1) {
      throw Refused.wrong("n", "must be 1 for a stream");
    }
    List<Given> originals =
        fields.files("image", "image[]", "images").stream()
            .map(bytes -> Given.png(bytes, "image"))
            .toList();
    if (edit && originals.isEmpty()) {
      throw Refused.wrong("image", "is required");
    }
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
        fields.number("partial_images", 0, MOST_PARTIALS, 0));
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
    if (!BACKGROUNDS.contains(background)) {
      throw Refused.wrong("background", "must be transparent, opaque or auto");
    }
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
        throw Refused.wrong("size", "must be auto, or width and height such as 1024x1024");
      }
      width = side(sides.group(1));
      height = side(sides.group(2));
    }
    return new Order.Form(
        width,
        height,
        format,
        fields.number("output_compression", 0, BEST, BEST),
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
