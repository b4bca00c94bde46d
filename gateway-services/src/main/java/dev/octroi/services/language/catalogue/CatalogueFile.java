package dev.octroi.services.language.catalogue;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.octroi.services.CatalogueText;
import dev.octroi.services.JarResource;
import dev.octroi.services.language.Dialect;
import dev.octroi.services.language.Prompt.Effort;
import dev.octroi.services.language.Target.Quirk;
import dev.octroi.services.language.catalogue.Model.Ability;
import dev.octroi.services.language.catalogue.Model.Modality;
import dev.octroi.services.language.catalogue.Model.ModelSource;
import dev.octroi.services.language.catalogue.Model.Rates;
import dev.octroi.services.language.catalogue.Model.Tier;
import dev.octroi.services.language.catalogue.Model.Tokenizer;
import dev.octroi.services.language.catalogue.ModelCatalogue.ModelName;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads a catalogue from its file, whose form is documented in {@code docs/catalogue.md}, and finds
 * everything that is wrong with it at once.
 */
public final class CatalogueFile {

  private static final int MAX_MODELS = 5_000;
  private static final String MODELS = "/models";

  private CatalogueFile() {}

  /** The catalogue that holds where an operator states none. */
  public static ModelCatalogue standard(Clock clock) {
    return read(JarResource.bytes(CatalogueFile.class, "catalogue.json"), clock);
  }

  /**
   * An operator's own.
   *
   * @throws InvalidCatalogue if it cannot be read or used
   */
  public static ModelCatalogue read(Path file, Clock clock) {
    byte[] json;
    try {
      json = CatalogueText.of(file, 4);
    } catch (IllegalArgumentException unreadable) {
      throw new InvalidCatalogue(List.of(String.valueOf(unreadable.getMessage())));
    }
    return read(json, clock);
  }

  /**
   * A catalogue's text.
   *
   * @throws InvalidCatalogue if it cannot be used
   */
  public static ModelCatalogue read(byte[] text, Clock clock) {
    JsonWithLines json;
    try {
      json = JsonWithLines.read(text);
    } catch (JsonProcessingException wrong) {
      throw new InvalidCatalogue(List.of(CatalogueText.place(wrong)));
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
    List<String> problems = new ArrayList<>();
    List<Model> models = models(json, problems);
    if (problems.isEmpty()) {
      check(models, json, problems);
    }
    if (!problems.isEmpty()) {
      throw new InvalidCatalogue(problems);
    }
    return new ModelCatalogue(models, clock);
  }

  private static List<Model> models(JsonWithLines json, List<String> problems) {
    int count = json.root().path("models").size();
    if (!json.root().path("models").isArray() || count == 0 || count > MAX_MODELS) {
      problems.add("line 1: /models is an array of 1 to " + MAX_MODELS + " models");
      return List.of();
    }
    List<Model> models = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      String pointer = MODELS + "/" + i;
      if (json.root().at(pointer).isObject()) {
        models.add(ModelReader.read(new Members(json, pointer, problems)));
      } else {
        problems.add("line " + json.line(pointer) + ": " + pointer + " is an object");
      }
    }
    return models;
  }

  /** What only the whole can show: names that are taken, fallbacks that are not there. */
  private static void check(List<Model> models, JsonWithLines json, List<String> problems) {
    Map<String, Model> taken = new HashMap<>();
    for (int i = 0; i < models.size(); i++) {
      Model model = models.get(i);
      Members entry = new Members(json, MODELS + "/" + i, problems);
      ModelCatalogue.names(model)
          .filter(name -> taken.putIfAbsent(name, model) != null)
          .filter(name -> !name.contains("/"))
          .forEach(name -> entry.problem("id", "has the name " + name + ", which is taken"));
    }
    for (int i = 0; i < models.size(); i++) {
      Model model = models.get(i);
      Members entry = new Members(json, MODELS + "/" + i, problems);
      model.fallbacks().forEach(id -> requireOther(model, id, taken, entry, "fallbacks"));
      if (model.successor() != null) {
        requireOther(model, model.successor(), taken, entry, "successor");
      }
    }
  }

  private static void requireOther(
      Model model, String id, Map<String, Model> taken, Members entry, String member) {
    Model other = taken.get(ModelName.key(id));
    if (other == null || other.id().equals(model.id())) {
      entry.problem(member, "names " + id + ", which is no other model");
    }
  }

  /** Reads one entry of the catalogue's file. */
  private static final class ModelReader {

    private static final int LARGEST_WINDOW = 100_000_000;

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._:+-]{0,99}");
    private static final Pattern WORD = Pattern.compile("[a-z0-9][a-z0-9-]{0,63}");
    private static final Pattern WIRE_NAME = Pattern.compile("[\\x21-\\x7e]{1,200}");

    private ModelReader() {}

    static Model read(Members entry) {
      String id = entry.text("id", NAME);
      int window = entry.whole("context_window", 1, LARGEST_WINDOW);
      Model model =
          new Model(
              id,
              entry.text("vendor", WORD),
              entry.texts("aliases", NAME),
              source(entry, id),
              window,
              entry.whole("max_output", 1, window),
              input(entry.words("input", Modality.class)),
              entry.words("abilities", Ability.class),
              entry.object("prices").map(ModelReader::rates).orElse(null),
              entry.word("tokenizer", Tokenizer.class, Tokenizer.BYTES),
              entry.date("released"),
              entry.optionalDate("retired").orElse(null),
              entry.optionalText("successor", NAME).orElse(null),
              entry.texts("fallbacks", NAME),
              entry.words("tiers", Tier.class));
      if (model.vendor().equals("auto")) {
        entry.problem("vendor", "cannot be the prefix of the routes");
      }
      entry.close();
      return model;
    }

    private static ModelSource source(Members entry, String id) {
      return new ModelSource(
          entry.text("upstream", WORD),
          entry.optionalText("upstream_model", WIRE_NAME).orElse(id),
          entry.word("protocol", Dialect.class, null),
          entry.words("quirks", Quirk.class),
          entry.words("efforts", Effort.class));
    }

    private static Set<Modality> input(Set<Modality> stated) {
      stated.add(Modality.TEXT);
      return stated;
    }

    private static Rates rates(Members prices) {
      long input = stated(prices, "input");
      long output = stated(prices, "output");
      Long read = prices.micros("cache_read");
      Long write = prices.micros("cache_write");
      Long hour = prices.micros("cache_write_1h");
      prices.close();
      long minutes = write == null ? input : write;
      return new Rates(
          input, output, read == null ? input : read, minutes, hour == null ? minutes : hour);
    }

    private static long stated(Members prices, String name) {
      @Nullable Long micros = prices.micros(name);
      if (micros == null) {
        prices.problem("", "has no " + name);
        return 0;
      }
      return micros;
    }
  }

  /** A catalogue's file that cannot be used; names everything that is wrong with it at once. */
  public static final class InvalidCatalogue extends IllegalArgumentException {

    private static final long serialVersionUID = 1L;

    private final transient List<String> problems;

    InvalidCatalogue(List<String> problems) {
      super(String.join(System.lineSeparator(), problems));
      this.problems = List.copyOf(problems);
    }

    /** One line each, with its place. */
    public List<String> problems() {
      return problems;
    }
  }

  /**
   * A JSON document that knows on which line each of its values stands, so that a problem can be
   * found by who has to mend it.
   *
   * @param root the document
   * @param lines by JSON pointer
   */
  record JsonWithLines(JsonNode root, Map<String, Integer> lines) {

    private static final JsonMapper MAPPER =
        JsonMapper.builder(
                JsonFactory.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build())
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();

    static JsonWithLines read(byte[] json) throws IOException {
      JsonNode root = MAPPER.readTree(json);
      Map<String, Integer> lines = new HashMap<>();
      try (JsonParser parser = MAPPER.createParser(json)) {
        while (parser.nextToken() != null) {
          String pointer = parser.getParsingContext().pathAsPointer().toString();
          lines.putIfAbsent(pointer, parser.currentTokenLocation().getLineNr());
        }
      }
      return new JsonWithLines(root, lines);
    }

    int line(String pointer) {
      return lines.getOrDefault(pointer, 1);
    }
  }
}
