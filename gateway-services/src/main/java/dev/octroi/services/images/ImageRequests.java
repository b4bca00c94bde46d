package dev.octroi.services.images;

import dev.octroi.services.ErrorCode;
import dev.octroi.services.Failure;
import dev.octroi.services.images.ImageCatalogue.ImageField;
import dev.octroi.services.images.ImageCatalogue.ImageModel;
import dev.octroi.services.images.ImageCatalogue.ImageSizes.ImageSize;
import dev.octroi.services.images.Images.ImageOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Reads what is asked of image models, and refuses what none or not that one can do (specification,
 * Images; decisions, image fields). Immutable; does no I/O.
 */
public final class ImageRequests {

  private static final String DEFAULT_SIZE = "1024x1024";
  private static final String QUALITY = ImageField.QUALITY.word();
  private static final String STANDARD = "standard";
  private static final int MOST_PROGRESS = 3;
  private static final int ECHO = 64;
  private static final int USER_LENGTH = 256;

  /** What an edit is done by if it does not say (specification, edits). */
  private static final String EDITOR = "provider-a/image-1";

  private final ImageCatalogue catalogue;
  private final Set<String> upstreams;

  /**
   * @param upstreams those that can be asked; models of others are not sold
   */
  public ImageRequests(ImageCatalogue catalogue, Set<String> upstreams) {
    this.catalogue = catalogue;
    this.upstreams = Set.copyOf(upstreams);
  }

  /** The models that can be called here and now. */
  public List<ImageModel> served() {
    return catalogue.models().stream()
        .filter(model -> upstreams.contains(model.source().upstream()))
        .toList();
  }

  /**
   * What decides the price, before anything else is looked at.
   *
   * @param edit whether pictures are to be changed
   * @throws Failure 400 for a model or a size that is not there, or a bad number
   */
  public ImageQuote quote(ImageBody body, boolean edit) {
    String word = body.text("size").orElse(DEFAULT_SIZE);
    Optional<ImageSize> size = ImageSize.of(word);
    ImageModel model = model(body, size, edit);
    ImageSize drawn =
        size.filter(model.sizes()::contain)
            .orElseThrow(
                () ->
                    ImageBody.invalid(
                        "size of " + model.id() + " is one of " + model.sizes().told()));
    return new ImageQuote(model, drawn, body.whole("n", 1, ImageQuote.MOST).orElse(1));
  }

  private ImageModel model(ImageBody body, Optional<ImageSize> size, boolean edit) {
    Optional<String> named = edit ? body.text("model").or(() -> Optional.of(EDITOR)) : text(body);
    String name = named.orElseThrow(() -> ImageBody.invalid("model is missing"));
    if (ImageCatalogue.key(name).equals(ImageCatalogue.AUTO)) {
      return served().stream()
          .filter(model -> size.filter(model.sizes()::contain).isPresent())
          .filter(model -> (!edit || model.edits()) && unsupported(body, model).isEmpty())
          .filter(model -> body.text(QUALITY).map(model.qualities()::containsKey).orElse(true))
          .findFirst()
          .orElseThrow(() -> ImageBody.invalid("no model does all that is asked of auto/image"));
    }
    return catalogue
        .find(name)
        .filter(model -> upstreams.contains(model.source().upstream()))
        .orElseThrow(() -> unknown(name));
  }

  private static Optional<String> text(ImageBody body) {
    return body.text("model");
  }

  private Failure unknown(String name) {
    String echo = name.length() > ECHO ? name.substring(0, ECHO) + "…" : name;
    return new Failure(
        ErrorCode.MODEL_NOT_FOUND,
        catalogue
            .successor(name)
            .map(living -> "The image model '" + echo + "' is retired; ask for " + living)
            .orElseGet(() -> "There is no image model '" + echo.replace('\n', ' ') + "'"));
  }

  private static Optional<ImageField> unsupported(ImageBody body, ImageModel model) {
    return Arrays.stream(ImageField.values())
        .filter(field -> body.has(field.word()) && !field.ignorable())
        .filter(field -> !model.fields().contains(field))
        .findFirst();
  }

  /**
   * All that is asked.
   *
   * @throws Failure 400 naming the member that is missing or bad
   */
  public ImageOrder order(ImageBody body, boolean edit) {
    ImageQuote quote = quote(body, edit);
    ImageModel model = quote.model();
    if (edit && !model.edits()) {
      throw ImageBody.invalid(model.id() + " does not edit pictures");
    }
    unsupported(body, model)
        .ifPresent(
            field -> {
              throw ImageBody.invalid(model.id() + " does not support " + field.word());
            });
    if (body.flag("stream").orElse(false)) {
      throw ImageBody.invalid("stream is not supported; use partial_images");
    }
    return new ImageOrder(
        quote,
        prompt(body, model),
        body.word("response_format", List.of("url", "b64_json"))
            .filter("b64_json"::equals)
            .isPresent(),
        body.whole(ImageField.PARTIAL_IMAGES.word(), 0, MOST_PROGRESS).orElse(0),
        options(body, model, edit));
  }

  private static String prompt(ImageBody body, ImageModel model) {
    String prompt = body.text("prompt").orElseThrow(() -> ImageBody.invalid("prompt is missing"));
    if (prompt.isBlank()) {
      throw ImageBody.invalid("prompt is empty");
    }
    if (prompt.codePointCount(0, prompt.length()) > model.promptLength()) {
      throw ImageBody.invalid(
          "prompt of " + model.id() + " has at most " + model.promptLength() + " characters");
    }
    return prompt;
  }

  /** Every member is checked, and those that the model knows go on to it. */
  private static Map<String, Object> options(ImageBody body, ImageModel model, boolean edit) {
    Map<ImageField, Object> given = new HashMap<>();
    quality(body, model).ifPresent(word -> given.put(ImageField.QUALITY, word));
    put(given, body, ImageField.BACKGROUND, "transparent", "opaque");
    put(given, body, ImageField.OUTPUT_FORMAT, "png", "jpeg", "webp");
    put(given, body, ImageField.MODERATION, "auto", "low");
    put(given, body, ImageField.STYLE, "vivid", "natural");
    body.whole(ImageField.OUTPUT_COMPRESSION.word(), 0, 100)
        .ifPresent(percent -> given.put(ImageField.OUTPUT_COMPRESSION, percent));
    body.flag(ImageField.WATERMARK.word()).ifPresent(on -> given.put(ImageField.WATERMARK, on));
    body.text(ImageField.USER.word()).ifPresent(user -> given.put(ImageField.USER, user(user)));
    fidelity(body, given, edit);
    requireConsistent(given);
    Map<String, Object> sent = new HashMap<>();
    given.forEach(
        (field, value) -> {
          if (model.fields().contains(field)) {
            sent.put(field.word(), value);
          }
        });
    return sent;
  }

  /** A vendor left to choose may choose the dearest, so that the ordinary one is always said. */
  private static Optional<String> quality(ImageBody body, ImageModel model) {
    List<String> words = new ArrayList<>(model.qualities().keySet());
    words.sort(null);
    return body.word(QUALITY, words).or(() -> Optional.of(STANDARD)).map(model.qualities()::get);
  }

  private static void put(
      Map<ImageField, Object> given, ImageBody body, ImageField field, String... words) {
    body.word(field.word(), List.of(words)).ifPresent(word -> given.put(field, word));
  }

  private static String user(String user) {
    if (user.length() > USER_LENGTH) {
      throw ImageBody.invalid("user has at most " + USER_LENGTH + " characters");
    }
    return user;
  }

  /** The vendor's protocol knows two; the middle one is its own default, which is the lower. */
  private static void fidelity(ImageBody body, Map<ImageField, Object> given, boolean edit) {
    body.word(ImageField.INPUT_FIDELITY.word(), List.of("low", "medium", "high"))
        .ifPresent(
            word -> {
              if (!edit) {
                throw ImageBody.invalid("input_fidelity is for edits");
              }
              given.put(ImageField.INPUT_FIDELITY, word.equals("high") ? "high" : "low");
            });
  }

  private static void requireConsistent(Map<ImageField, Object> given) {
    Object format = given.getOrDefault(ImageField.OUTPUT_FORMAT, "png");
    if (given.containsKey(ImageField.OUTPUT_COMPRESSION) && format.equals("png")) {
      throw ImageBody.invalid("output_compression is for an output_format of jpeg or webp");
    }
    boolean transparent = "transparent".equals(given.get(ImageField.BACKGROUND));
    if (transparent && format.equals("jpeg")) {
      throw ImageBody.invalid("background transparent is for an output_format of png or webp");
    }
  }

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
}
