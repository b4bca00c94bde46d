package dev.octroi.services.images;

import java.time.LocalDate;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Every image model that is sold, in the order of its file. Immutable. */
public final class ImageCatalogue {

  /** Leaves the choice to the gateway (decisions, unknown model). */
  public static final String AUTO = "auto/image";

  private final List<ImageModel> models;
  private final Map<String, ImageModel> byName = new HashMap<>();
  private final Map<String, String> retired = new HashMap<>();

  ImageCatalogue(List<ImageModel> models, Map<String, String> retired) {
    this.models = List.copyOf(models);
    retired.forEach((name, successor) -> this.retired.put(key(name), successor));
    for (ImageModel model : models) {
      byName.put(key(model.id()), model);
      model.aliases().forEach(alias -> byName.put(key(alias), model));
    }
  }

  /** In the order of the file; the first that draws what is asked is what {@code auto} chooses. */
  public List<ImageModel> models() {
    return models;
  }

  /** The model of that name or alias. */
  public Optional<ImageModel> find(String name) {
    return Optional.ofNullable(byName.get(key(name)));
  }

  /**
   * The model to ask for instead of one that its vendor has retired, by its retired name, with the
   * vendor's prefix or without.
   */
  public Optional<String> successor(String name) {
    String key = key(name);
    return Optional.ofNullable(retired.get(key.substring(key.lastIndexOf('/') + 1)));
  }

  /** The names of the upstreams that the models need. */
  public Set<String> upstreams() {
    return models.stream().map(model -> model.source().upstream()).collect(Collectors.toSet());
  }

  static String key(String name) {
    return name.toLowerCase(Locale.ROOT);
  }

  /**
   * One image model as it is sold.
   *
   * @param id its public name
   * @param aliases other names
   * @param source where and how it is asked
   * @param sizes what it draws
   * @param micros what one picture costs, in millionths of a dollar
   * @param costs what its vendor bills
   * @param fields what it understands besides prompt, number and size
   * @param refused words of these fields that its vendor refuses it
   * @param qualities the model's own word for each quality that is sold
   * @param promptLength characters of a prompt at most
   * @param edits whether it changes pictures too
   * @param retirement when its vendor takes it away; empty for one that stays
   */
  public record ImageModel(
      String id,
      List<String> aliases,
      Source source,
      ImageSizes sizes,
      long micros,
      Costs costs,
      Set<ImageField> fields,
      Map<ImageField, List<String>> refused,
      Map<String, String> qualities,
      int promptLength,
      boolean edits,
      Optional<Retirement> retirement) {

    public ImageModel {
      aliases = List.copyOf(aliases);
      fields = Set.copyOf(fields);
      refused = Map.copyOf(refused);
      qualities = Map.copyOf(qualities);
    }

    boolean isRetired(LocalDate today) {
      return retirement.filter(end -> !today.isBefore(end.from())).isPresent();
    }

    /**
     * The end of a model.
     *
     * @param from the first day on which it is refused
     * @param successor the id of the model to ask for instead
     */
    public record Retirement(LocalDate from, String successor) {}

    /**
     * What a vendor bills for each picture that it draws, in millionths of a dollar. All are zero
     * where the price is known to cover every call.
     *
     * @param picture the picture itself, in the largest size and the dearest quality that are sold
     * @param given each picture that is to be changed
     * @param large the same for one of more than 1024 pixels to a side
     * @param partial each picture of the work in progress
     * @param promptByte each byte of the prompt; a token has one at least
     */
    public record Costs(long picture, long given, long large, long partial, long promptByte) {

      static final Costs COVERED = new Costs(0, 0, 0, 0, 0);
    }

    /**
     * Where a model is asked.
     *
     * @param upstream the configured name of its upstream
     * @param model what the upstream calls it
     * @param atOnce pictures that one call gives at most; more are asked for by several
     * @param sendsSize whether the upstream takes a size
     * @param sendsFormat whether the upstream takes {@code response_format}
     * @param implied fields that are not sent, because the model does what they ask for unasked
     * @param always members that every call holds, such as the shape that a size is there
     */
    public record Source(
        String upstream,
        String model,
        int atOnce,
        boolean sendsSize,
        boolean sendsFormat,
        Set<ImageField> implied,
        Map<String, String> always) {

      public Source {
        implied = Set.copyOf(implied);
        always = Map.copyOf(always);
      }
    }
  }

  /** What may be asked besides model, prompt, number and size (specification, Images). */
  public enum ImageField {
    QUALITY("quality", false),
    BACKGROUND("background", false),
    OUTPUT_FORMAT("output_format", false),
    OUTPUT_COMPRESSION("output_compression", false),
    INPUT_FIDELITY("input_fidelity", false),
    PARTIAL_IMAGES("partial_images", false),
    STYLE("style", true),
    USER("user", true),
    MODERATION("moderation", true),
    WATERMARK("watermark", true),
    SAFETY_IDENTIFIER("safety_identifier", true);

    private final String word;
    private final boolean ignorable;

    ImageField(String word, boolean ignorable) {
      this.word = word;
      this.ignorable = ignorable;
    }

    /** The member of the body. */
    public String word() {
      return word;
    }

    /** Whether a model that does not know it leaves it out; another is 400 (decisions, images). */
    boolean ignorable() {
      return ignorable;
    }

    static Optional<ImageField> named(String word) {
      return Arrays.stream(values()).filter(field -> field.word.equals(word)).findFirst();
    }
  }

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
  }
}
