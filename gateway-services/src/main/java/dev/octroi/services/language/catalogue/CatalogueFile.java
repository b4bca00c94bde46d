package dev.octroi.services.language.catalogue;

import com.fasterxml.jackson.core.JsonProcessingException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Reads a catalogue from its file, whose form is documented in {@code docs/catalogue.md}, and finds
 * everything that is wrong with it at once.
 */
public final class CatalogueFile {

  /** Far above any catalogue, far below what a mistaken path could fill memory with. */
  private static final int MAX_BYTES = 4 << 20;

  private static final int MAX_MODELS = 5_000;
  private static final String MODELS = "/models";

  private CatalogueFile() {}

  /** The catalogue that holds where an operator states none. */
  public static ModelCatalogue standard(Clock clock) {
    try (InputStream in =
        Objects.requireNonNull(CatalogueFile.class.getResourceAsStream("catalogue.json"))) {
      return read(in.readAllBytes(), clock);
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }

  /**
   * An operator's own.
   *
   * @throws InvalidCatalogue if it cannot be read or used
   */
  public static ModelCatalogue read(Path file, Clock clock) {
    try (InputStream in = Files.newInputStream(file)) {
      byte[] json = in.readNBytes(MAX_BYTES + 1);
      if (json.length > MAX_BYTES) {
        throw new InvalidCatalogue(List.of("the catalogue " + file + " is larger than 4 MiB"));
      }
      return read(json, clock);
    } catch (IOException unreadable) {
      throw new InvalidCatalogue(List.of("the catalogue " + file + " cannot be read"));
    }
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
      int line = wrong.getLocation() == null ? 1 : wrong.getLocation().getLineNr();
      throw new InvalidCatalogue(List.of("line " + line + ": " + wrong.getOriginalMessage()));
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
      for (String fallback : model.fallbacks()) {
        Model other = taken.get(ModelName.key(fallback));
        if (other == null || other.equals(model)) {
          entry.problem("fallbacks", "names " + fallback + ", which is no other model");
        }
      }
    }
  }
}
