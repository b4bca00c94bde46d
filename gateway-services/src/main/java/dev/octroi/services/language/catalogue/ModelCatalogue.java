package dev.octroi.services.language.catalogue;

import dev.octroi.services.ErrorCode;
import dev.octroi.services.Failure;
import java.time.Clock;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Every model that is sold, in the order of its file. Thread-safe.
 *
 * <p>A model answers to its id and its aliases, with and without the vendor's prefix, and with a
 * dash for the dot in a version (specification, versioning, 3).
 */
public final class ModelCatalogue {

  private final List<Model> models;
  private final Map<String, Model> byName = new HashMap<>();
  private final Clock clock;

  ModelCatalogue(List<Model> models, Clock clock) {
    this.models = List.copyOf(models);
    this.clock = clock;
    for (Model model : models) {
      names(model).forEach(name -> byName.put(name, model));
    }
  }

  /** Every name of a model, as names are compared. */
  static Stream<String> names(Model model) {
    return Stream.concat(Stream.of(model.id()), model.aliases().stream())
        .map(ModelName::key)
        .flatMap(name -> Stream.of(name, model.vendor() + "/" + name));
  }

  /**
   * The model that a caller names.
   *
   * @throws Failure 400 {@code model_not_found} for a name that is unknown, dated or retired
   */
  public Model named(String name) {
    Model model = byName.get(ModelName.key(name));
    if (model == null) {
      throw unknown(name);
    }
    if (model.retiredOn(today())) {
      String successor = model.successor();
      throw refused(
          "The model '"
              + ModelName.echo(name)
              + "' was retired on "
              + model.retired()
              + (successor == null ? instead() : "; call " + successor + " instead"));
    }
    return model;
  }

  /** The model of that name, if it is one that can be called. */
  public Optional<Model> find(String name) {
    return Optional.ofNullable(byName.get(ModelName.key(name)))
        .filter(model -> !model.retiredOn(today()));
  }

  /** The models that can be called today, in the order of the file. */
  public List<Model> live() {
    LocalDate today = today();
    return models.stream().filter(model -> !model.retiredOn(today)).toList();
  }

  /** The names of the upstreams that the models need. */
  public Set<String> upstreams() {
    return models.stream().map(model -> model.source().upstream()).collect(Collectors.toSet());
  }

  /** What a message may repeat of a word that a caller made up. */
  public static String echo(String word) {
    return ModelName.echo(word);
  }

  private LocalDate today() {
    return LocalDate.ofInstant(clock.instant(), ZoneOffset.UTC);
  }

  private static Failure unknown(String name) {
    String said = "The model '" + ModelName.echo(name);
    return ModelName.dated(name)
        ? refused(said + "' is dated and no longer served" + instead())
        : refused(said + "' does not exist" + instead());
  }

  private static String instead() {
    return "; GET /v1/models lists those that do";
  }

  private static Failure refused(String message) {
    return new Failure(ErrorCode.MODEL_NOT_FOUND, message);
  }

  /** How names of models are compared: a dash for the dot in a version is the same name. */
  static final class ModelName {

    private static final Pattern DOT = Pattern.compile("(?<=\\d)\\.(?=\\d)");
    private static final Pattern DATED = Pattern.compile(".*-(\\d{8}|\\d{4}-\\d{2}-\\d{2})");
    private static final int LONGEST_ECHO = 80;

    private ModelName() {}

    static String key(String name) {
      return DOT.matcher(name).replaceAll("-");
    }

    /** Whether the name is a vendor's name of one day's build, as older models had it. */
    static boolean dated(String name) {
      return DATED.matcher(name).matches();
    }

    /** What a message may repeat of a name that a caller made up. */
    static String echo(String name) {
      String plain = name.replaceAll("[^\\x20-\\x7e]", "?");
      return plain.substring(0, Math.min(LONGEST_ECHO, plain.length()));
    }
  }
}
