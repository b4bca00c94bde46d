package dev.octroi.services.images;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.octroi.services.CatalogueText;
import dev.octroi.services.JarResource;
import dev.octroi.services.images.ImageCatalogue.ImageField;
import dev.octroi.services.images.ImageCatalogue.ImageModel;
import dev.octroi.services.images.ImageCatalogue.ImageModel.Costs;
import dev.octroi.services.images.ImageCatalogue.ImageModel.Retirement;
import dev.octroi.services.images.ImageCatalogue.ImageSizes;
import dev.octroi.services.images.ImageCatalogue.ImageSizes.ImageSize;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reads the catalogue of image models, whose form is documented in {@code docs/images.md}. */
public final class ImageCatalogueFile {

  private static final int MOST_AT_ONCE = 10;
  private static final int PROMPT_LENGTH = 4_000;
  private static final int MICRO_PLACES = 6;

  private ImageCatalogueFile() {}

  /** The catalogue that holds where an operator states none. */
  public static ImageCatalogue standard() {
    return read(JarResource.bytes(ImageCatalogueFile.class, "images.json"));
  }

  /**
   * An operator's own.
   *
   * @throws IllegalArgumentException if it cannot be read or used, with what is wrong
   */
  public static ImageCatalogue read(Path file) {
    return read(CatalogueText.of(file, 1));
  }

  /**
   * A catalogue's text.
   *
   * @throws IllegalArgumentException if it cannot be used, with what is wrong
   */
  public static ImageCatalogue read(byte[] json) {
    Entries read = CatalogueText.read(json, Entries.class);
    List<Entry> entries = read.models();
    if (entries == null || entries.isEmpty()) {
      throw new IllegalArgumentException("models is an array of image models");
    }
    List<ImageModel> models = entries.stream().map(Entry::model).toList();
    Map<String, String> retired = read.retired() == null ? Map.of() : read.retired();
    requireDistinct(models, retired);
    return new ImageCatalogue(models, retired);
  }

  private static void requireDistinct(List<ImageModel> models, Map<String, String> retired) {
    Set<String> taken = new HashSet<>(Set.of(ImageCatalogue.AUTO));
    for (ImageModel model : models) {
      Stream.concat(Stream.of(model.id()), model.aliases().stream())
          .filter(name -> !taken.add(ImageCatalogue.key(name)))
          .findFirst()
          .ifPresent(
              name -> {
                throw new IllegalArgumentException("the name " + name + " is taken");
              });
    }
    retired.forEach(
        (name, successor) -> {
          if (taken.contains(ImageCatalogue.key(name))) {
            throw new IllegalArgumentException("the retired name " + name + " is taken");
          }
          requireModel("retired " + name, successor, taken);
        });
    models.forEach(
        model ->
            model
                .retirement()
                .ifPresent(end -> requireModel("model " + model.id(), end.successor(), taken)));
  }

  private static void requireModel(String what, String successor, Set<String> taken) {
    if (!taken.contains(ImageCatalogue.key(successor))) {
      throw new IllegalArgumentException(what + " names " + successor + ", which is no model");
    }
  }

  record Entries(@Nullable List<Entry> models, @Nullable Map<String, String> retired) {}

  record Entry(
      @Nullable String id,
      @Nullable List<String> aliases,
      @Nullable String upstream,
      @JsonProperty("upstream_model") @Nullable String upstreamModel,
      @Nullable List<String> sizes,
      @JsonProperty("size_range") @Nullable Span range,
      @Nullable BigDecimal price,
      @Nullable List<String> fields,
      @Nullable Map<String, List<String>> refused,
      @Nullable Map<String, String> qualities,
      @JsonProperty("prompt_length") @Nullable Integer promptLength,
      @JsonProperty("at_once") @Nullable Integer atOnce,
      @JsonProperty("sends_size") @Nullable Boolean sendsSize,
      @JsonProperty("sends_response_format") @Nullable Boolean sendsFormat,
      @Nullable List<String> implied,
      @Nullable Map<String, String> always,
      @Nullable Bill costs,
      @Nullable String retired,
      @Nullable String successor,
      boolean edits) {

    ImageModel model() {
      String name = need("id", id);
      Map<String, String> words = qualities == null ? Map.of() : qualities;
      return new ImageModel(
          name,
          or(aliases, List.of()),
          new ImageModel.Source(
              need("upstream", upstream),
              or(upstreamModel, name),
              within("at_once", or(atOnce, MOST_AT_ONCE), 1, MOST_AT_ONCE),
              or(sendsSize, true),
              or(sendsFormat, false),
              named("implied", implied),
              always == null ? Map.of() : always),
          new ImageSizes(listed(), Optional.ofNullable(range).map(Span::range)),
          micros("price", need("price", price)),
          costs == null ? Costs.COVERED : costs.costs(this),
          known(words),
          refusals(),
          words,
          within("prompt_length", or(promptLength, PROMPT_LENGTH), 1, 1_000_000),
          edits,
          retirement());
    }

    private Optional<Retirement> retirement() {
      if (retired == null) {
        return Optional.empty();
      }
      try {
        return Optional.of(new Retirement(LocalDate.parse(retired), need("successor", successor)));
      } catch (DateTimeException noDate) {
        throw wrong("retired", "is a date such as 2026-05-31");
      }
    }

    private Set<ImageField> named(String member, @Nullable List<String> words) {
      return or(words, List.<String>of()).stream()
          .map(
              word ->
                  ImageField.named(word).orElseThrow(() -> wrong(member, "names no field " + word)))
          .collect(Collectors.toSet());
    }

    private Map<ImageField, List<String>> refusals() {
      Map<ImageField, List<String>> words = new EnumMap<>(ImageField.class);
      or(refused, Map.<String, List<String>>of())
          .forEach(
              (field, some) -> named("refused", List.of(field)).forEach(f -> words.put(f, some)));
      return words;
    }

    private Set<ImageField> known(Map<String, String> words) {
      Set<ImageField> all = named("fields", fields);
      if (all.contains(ImageField.QUALITY) == words.isEmpty()) {
        throw wrong("qualities", "says what each quality is called, if there are several");
      }
      return all;
    }

    private List<ImageSize> listed() {
      List<String> words = or(sizes, List.of());
      if (words.isEmpty()) {
        throw wrong("sizes", "is a list such as [\"1024x1024\"]");
      }
      return words.stream()
          .map(word -> ImageSize.of(word).orElseThrow(() -> wrong("sizes", "has " + word)))
          .toList();
    }

    long micros(String member, BigDecimal dollars) {
      try {
        long micros = dollars.movePointRight(MICRO_PLACES).longValueExact();
        if (micros >= 0) {
          return micros;
        }
      } catch (ArithmeticException tooFine) {
        // the same problem
      }
      throw wrong(member, "is a number of dollars with at most six places");
    }

    private int within(String member, int value, int least, int most) {
      if (value < least || value > most) {
        throw wrong(member, "is " + least + " to " + most);
      }
      return value;
    }

    private <T> T need(String member, @Nullable T value) {
      if (value == null) {
        throw wrong(member, "is missing");
      }
      return value;
    }

    private static <T> T or(@Nullable T value, T otherwise) {
      return value == null ? otherwise : value;
    }

    private IllegalArgumentException wrong(String member, String what) {
      return new IllegalArgumentException("model " + id + ": " + member + " " + what);
    }
  }

  /** What the vendor bills, in dollars. */
  record Bill(
      @Nullable BigDecimal picture,
      @JsonProperty("given_picture") @Nullable BigDecimal given,
      @JsonProperty("large_given_picture") @Nullable BigDecimal large,
      @JsonProperty("partial_image") @Nullable BigDecimal partial,
      @JsonProperty("prompt_byte") @Nullable BigDecimal promptByte) {

    Costs costs(Entry entry) {
      return new Costs(
          entry.micros("costs.picture", Entry.or(picture, BigDecimal.ZERO)),
          entry.micros("costs.given_picture", Entry.or(given, BigDecimal.ZERO)),
          entry.micros("costs.large_given_picture", Entry.or(large, BigDecimal.ZERO)),
          entry.micros("costs.partial_image", Entry.or(partial, BigDecimal.ZERO)),
          entry.micros("costs.prompt_byte", Entry.or(promptByte, BigDecimal.ZERO)));
    }
  }

  record Span(int least, int most, int step) {
    ImageSizes.Range range() {
      return new ImageSizes.Range(least, most, step);
    }
  }
}
