package dev.octroi.services.images;

import dev.octroi.services.ErrorCode;
import dev.octroi.services.Failure;
import dev.octroi.services.images.ImageCatalogue.ImageField;
import dev.octroi.services.images.ImageCatalogue.ImageModel;
import dev.octroi.services.images.ImageCatalogue.ImageModel.Costs;
import dev.octroi.services.images.ImageCatalogue.ImageModel.Retirement;
import dev.octroi.services.images.ImageCatalogue.ImageSizes.ImageSize;
import dev.octroi.services.images.Images.ImageEdit;
import dev.octroi.services.images.Images.ImageOrder;
import dev.octroi.services.images.Images.PictureForm;
import java.time.Clock;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Reads what is asked of image models, and refuses what none or not that one can do (specification,
 * Images; decisions, image fields). Immutable; does no I/O.
 */
public final class ImageRequests {

  private static final String DEFAULT_SIZE = "1024x1024";
  private static final String SIZE = "size";
  private static final String PROMPT = "prompt";
  private static final String STREAM = "stream";
  private static final String FORMAT = "response_format";
  private static final String BYTES = "b64_json";
  private static final String QUALITY = ImageField.QUALITY.word();
  private static final String PARTIALS = ImageField.PARTIAL_IMAGES.word();
  private static final String STANDARD = "standard";

  /**
   * Leaves a choice to the vendor, whose choice may cost more than the price: the usual is said.
   */
  private static final String AUTO = "auto";

  private static final int MOST_PROGRESS = 3;
  private static final int ECHO = 64;
  private static final int USER_LENGTH = 256;

  /** What an edit is done by if it does not say (specification, edits). */
  private static final String EDITOR = "provider-a/image-1";

  private static final Set<String> DRAWINGS =
      Stream.concat(
              Stream.of("model", PROMPT, "n", SIZE, FORMAT, STREAM),
              Arrays.stream(ImageField.values()).map(ImageField::word))
          .collect(Collectors.toUnmodifiableSet());

  private static final Set<String> PICTURES =
      Set.of(ImageBody.IMAGE, ImageBody.IMAGES, ImageBody.MASK);

  private final ImageCatalogue catalogue;
  private final Set<String> upstreams;
  private final Clock clock;

  /**
   * @param upstreams those that can be asked; models of others are not sold
   * @param clock tells on which day models are retired, in UTC
   */
  public ImageRequests(ImageCatalogue catalogue, Set<String> upstreams, Clock clock) {
    this.catalogue = catalogue;
    this.upstreams = Set.copyOf(upstreams);
    this.clock = clock;
  }

  /** The models that can be called here and now. */
  public List<ImageModel> served() {
    return catalogue.models().stream().filter(this::isServed).toList();
  }

  private boolean isServed(ImageModel model) {
    return upstreams.contains(model.source().upstream())
        && !model.isRetired(LocalDate.ofInstant(clock.instant(), ZoneOffset.UTC));
  }

  /**
   * What decides the price, before anything else is looked at.
   *
   * @param edit whether pictures are to be changed
   * @throws Failure 400 for a model or a size that is not there, or a bad number
   */
  public ImageQuote quote(ImageBody body, boolean edit) {
    String word = chosen(body, SIZE).orElse(DEFAULT_SIZE);
    Optional<ImageSize> size = ImageSize.of(word);
    ImageModel model = model(body, size, edit);
    ImageSize drawn =
        size.filter(model.sizes()::contain)
            .orElseThrow(
                () ->
                    Failure.invalid(
                        "size of " + model.id() + " is one of " + model.sizes().told()));
    return new ImageQuote(
        model,
        drawn,
        body.whole("n", 1, ImageQuote.MOST).orElse(1),
        Math.max(model.micros(), billed(body, model, edit)));
  }

  /** What the vendor bills for each picture. What is not what it must be is refused later. */
  private static long billed(ImageBody body, ImageModel model, boolean edit) {
    Costs costs = model.costs();
    long given = edit ? Math.min(body.given(), ImageEdit.MOST) : 0;
    long large = Math.min(edit ? body.large() : 0, given);
    return costs.picture()
        + (given - large) * costs.given()
        + large * costs.large()
        + body.wholeOrZero(PARTIALS, MOST_PROGRESS) * costs.partial()
        + body.bytes(PROMPT) * costs.promptByte();
  }

  private ImageModel model(ImageBody body, Optional<ImageSize> size, boolean edit) {
    Optional<String> named = edit ? body.text("model").or(() -> Optional.of(EDITOR)) : text(body);
    String name = named.orElseThrow(() -> Failure.invalid("model is missing"));
    if (ImageCatalogue.key(name).equals(ImageCatalogue.AUTO)) {
      return served().stream()
          .filter(model -> size.filter(model.sizes()::contain).isPresent())
          .filter(model -> (!edit || model.edits()) && unsupported(body, model).isEmpty())
          .filter(model -> chosen(body, QUALITY).map(qualities(model)::contains).orElse(true))
          .findFirst()
          .orElseThrow(() -> Failure.invalid("no model does all that is asked of auto/image"));
    }
    return catalogue.find(name).filter(this::isServed).orElseThrow(() -> unknown(name));
  }

  private static Optional<String> text(ImageBody body) {
    return body.text("model");
  }

  /** What the caller did not leave to choice. */
  private static Optional<String> chosen(ImageBody body, String name) {
    return body.text(name).filter(word -> !word.equals(AUTO));
  }

  private Failure unknown(String name) {
    String echo = name.length() > ECHO ? name.substring(0, ECHO) + "…" : name;
    Optional<String> successor =
        catalogue
            .find(name)
            .flatMap(ImageModel::retirement)
            .map(Retirement::successor)
            .or(() -> catalogue.successor(name));
    return new Failure(
        ErrorCode.MODEL_NOT_FOUND,
        successor
            .flatMap(catalogue::find)
            .filter(this::isServed)
            .map(living -> "The image model '" + echo + "' is retired; ask for " + living.id())
            .orElseGet(
                () ->
                    "There is no image model '"
                        + echo.replace('\n', ' ')
                        + "'; there are "
                        + ImageCatalogue.AUTO
                        + ", "
                        + served().stream().map(ImageModel::id).collect(Collectors.joining(", "))
                        + " (setting gateway.images.catalogue)"));
  }

  private static Optional<String> unsupported(ImageBody body, ImageModel model) {
    if (body.isTrue(STREAM) && !model.fields().contains(ImageField.PARTIAL_IMAGES)) {
      return Optional.of(STREAM);
    }
    return Arrays.stream(ImageField.values())
        .filter(field -> body.has(field.word()) && !field.ignorable())
        .filter(field -> !model.fields().contains(field) && !isUsual(body, field))
        .map(ImageField::word)
        .findFirst()
        .or(() -> refused(body, model));
  }

  /** A word that the model's vendor refuses, with its field. */
  private static Optional<String> refused(ImageBody body, ImageModel model) {
    return model.refused().entrySet().stream()
        .flatMap(
            field ->
                field.getValue().stream()
                    .filter(word -> body.isWord(field.getKey().word(), word))
                    .map(word -> field.getKey().word() + " " + word))
        .sorted()
        .findFirst();
  }

  /** A choice that is left to the model, or the one that it makes. */
  private static boolean isUsual(ImageBody body, ImageField field) {
    return switch (field) {
      case QUALITY -> body.isWord(QUALITY, AUTO) || body.isWord(QUALITY, STANDARD);
      case BACKGROUND -> body.isWord(field.word(), AUTO);
      default -> false;
    };
  }

  /**
   * All that is asked.
   *
   * @throws Failure 400 naming the member that is missing or bad
   */
  public ImageOrder order(ImageBody body, boolean edit) {
    requireKnown(body, edit);
    ImageQuote quote = quote(body, edit);
    ImageModel model = quote.model();
    if (edit && !model.edits()) {
      throw Failure.invalid(model.id() + " does not edit pictures");
    }
    unsupported(body, model)
        .ifPresent(
            field -> {
              throw Failure.invalid(model.id() + " does not support " + field);
            });
    boolean stream = body.flag(STREAM).orElse(false);
    PictureForm form = form(body, model, edit, stream);
    if (stream && quote.n() > 1) {
      throw Failure.invalid("n is 1 for a stream");
    }
    return new ImageOrder(
        quote,
        prompt(body, model),
        form,
        stream,
        body.whole(PARTIALS, 0, MOST_PROGRESS).orElse(0),
        options(body, model, edit));
  }

  private static void requireKnown(ImageBody body, boolean edit) {
    body.names()
        .filter(name -> !DRAWINGS.contains(name) && !(edit && PICTURES.contains(name)))
        .findFirst()
        .ifPresent(
            name -> {
              String echo = name.length() > ECHO ? name.substring(0, ECHO) + "…" : name;
              throw Failure.invalid("There is no member '" + echo.replace('\n', ' ') + "' here");
            });
  }

  /**
   * An address, if the caller does not say. Where its vendor would have given bytes unasked, which
   * is what the vendor's SDK reads, there are both: where it calls the model by a vendor's name,
   * and in edits, of which SDKs never say it.
   */
  private static PictureForm form(ImageBody body, ImageModel model, boolean edit, boolean stream) {
    Optional<String> said = body.word(FORMAT, List.of("url", BYTES));
    if (stream) {
      if (said.filter("url"::equals).isPresent()) {
        throw Failure.invalid("response_format of a stream is b64_json");
      }
      return PictureForm.BYTES;
    }
    boolean both = edit || isCalledByVendorsName(body, model);
    return said.map(word -> word.equals(BYTES) ? PictureForm.BYTES : PictureForm.ADDRESS)
        .orElse(both ? PictureForm.BOTH : PictureForm.ADDRESS);
  }

  private static boolean isCalledByVendorsName(ImageBody body, ImageModel model) {
    Set<String> ours = Set.of(ImageCatalogue.key(model.id()), ImageCatalogue.AUTO);
    return body.text("model")
        .map(ImageCatalogue::key)
        .filter(name -> !ours.contains(name))
        .isPresent();
  }

  private static String prompt(ImageBody body, ImageModel model) {
    String prompt = body.text(PROMPT).orElseThrow(() -> Failure.invalid("prompt is missing"));
    if (prompt.isBlank()) {
      throw Failure.invalid("prompt is empty");
    }
    if (prompt.codePointCount(0, prompt.length()) > model.promptLength()) {
      throw Failure.invalid(
          "prompt of " + model.id() + " has at most " + model.promptLength() + " characters");
    }
    return prompt;
  }

  /** Every member is checked, and those that the model knows go on to it. */
  private static Map<String, Object> options(ImageBody body, ImageModel model, boolean edit) {
    Map<ImageField, Object> given = new HashMap<>();
    quality(body, model).ifPresent(word -> given.put(ImageField.QUALITY, word));
    put(given, body, ImageField.BACKGROUND, "transparent", "opaque", AUTO);
    given.remove(ImageField.BACKGROUND, AUTO);
    put(given, body, ImageField.OUTPUT_FORMAT, "png", "jpeg", "webp");
    put(given, body, ImageField.MODERATION, AUTO, "low");
    if (edit) {
      // The protocol has it for drawings alone.
      given.remove(ImageField.MODERATION);
    }
    put(given, body, ImageField.STYLE, "vivid", "natural");
    body.whole(ImageField.OUTPUT_COMPRESSION.word(), 0, 100)
        .ifPresent(percent -> given.put(ImageField.OUTPUT_COMPRESSION, percent));
    body.flag(ImageField.WATERMARK.word()).ifPresent(on -> given.put(ImageField.WATERMARK, on));
    identifier(given, body, ImageField.USER);
    identifier(given, body, ImageField.SAFETY_IDENTIFIER);
    fidelity(body, given, edit);
    requireConsistent(given);
    Map<String, Object> sent = new HashMap<>();
    given.forEach(
        (field, value) -> {
          if (model.fields().contains(field) && !model.source().implied().contains(field)) {
            sent.put(field.word(), value);
          }
        });
    return sent;
  }

  /** A vendor left to choose may choose the dearest, so that the ordinary one is always said. */
  private static Optional<String> quality(ImageBody body, ImageModel model) {
    List<String> words = qualities(model);
    Optional<String> chosen = chosen(body, QUALITY);
    chosen
        .filter(word -> !words.contains(word))
        .ifPresent(
            word -> {
              throw Failure.invalid(
                  "quality of "
                      + model.id()
                      + " is one of "
                      + AUTO
                      + ", "
                      + String.join(", ", words));
            });
    return Optional.ofNullable(model.qualities().get(chosen.orElse(STANDARD)));
  }

  private static List<String> qualities(ImageModel model) {
    return Stream.concat(Stream.of(STANDARD), model.qualities().keySet().stream())
        .distinct()
        .sorted()
        .toList();
  }

  private static void put(
      Map<ImageField, Object> given, ImageBody body, ImageField field, String... words) {
    body.word(field.word(), List.of(words)).ifPresent(word -> given.put(field, word));
  }

  private static void identifier(Map<ImageField, Object> given, ImageBody body, ImageField field) {
    body.text(field.word())
        .ifPresent(
            user -> {
              if (user.length() > USER_LENGTH) {
                throw Failure.invalid(field.word() + " has at most " + USER_LENGTH + " characters");
              }
              given.put(field, user);
            });
  }

  /** The vendor's protocol knows two; the middle one is its own default, which is the lower. */
  private static void fidelity(ImageBody body, Map<ImageField, Object> given, boolean edit) {
    body.word(ImageField.INPUT_FIDELITY.word(), List.of("low", "medium", "high"))
        .ifPresent(
            word -> {
              if (!edit) {
                throw Failure.invalid("input_fidelity is for edits");
              }
              given.put(ImageField.INPUT_FIDELITY, word.equals("high") ? "high" : "low");
            });
  }

  private static void requireConsistent(Map<ImageField, Object> given) {
    Object format = given.getOrDefault(ImageField.OUTPUT_FORMAT, "png");
    if (given.containsKey(ImageField.OUTPUT_COMPRESSION) && format.equals("png")) {
      throw Failure.invalid("output_compression is for an output_format of jpeg or webp");
    }
    boolean transparent = "transparent".equals(given.get(ImageField.BACKGROUND));
    if (transparent && format.equals("jpeg")) {
      throw Failure.invalid("background transparent is for an output_format of png or webp");
    }
  }

  /**
   * What decides the price of a call.
   *
   * @param n pictures, 1 to {@value #MOST}
   * @param each what one of them costs, in millionths of a dollar: the price of the model, or what
   *     its vendor bills where that is more
   */
  public record ImageQuote(ImageModel model, ImageSize size, int n, long each) {

    /** Pictures of one call at most (decisions, images). */
    public static final int MOST = 10;

    /** In millionths of a dollar. */
    public long micros() {
      return Math.multiplyExact(each, n);
    }
  }
}
