package dev.octroi.api.language;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.octroi.api.settings.GatewaySettings;
import dev.octroi.payments.Usd;
import dev.octroi.services.images.ImageCatalogue;
import dev.octroi.services.images.ImageCatalogue.ImageModel;
import dev.octroi.services.language.LanguageJson;
import dev.octroi.services.language.catalogue.Model;
import dev.octroi.services.language.catalogue.Model.Rates;
import dev.octroi.services.language.relay.LanguageModels;
import dev.octroi.services.language.route.Router.Route;
import dev.octroi.services.music.MusicCatalogue;
import dev.octroi.services.music.MusicCatalogue.MusicModel;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Everything that a caller may name as a model: language models, the routes between them, image and
 * music models. Thread-safe.
 *
 * @param models the language models
 * @param others what does not change while the gateway runs
 */
record ModelList(LanguageModels models, List<Entry> others) {

  private static final String ROUTES = "auto";

  ModelList {
    others = List.copyOf(others);
  }

  /**
   * The list of a gateway.
   *
   * @param searches whether {@code auto/search} is sold
   */
  static ModelList of(LanguageModels models, GatewaySettings settings, boolean searches) {
    List<Entry> others = new ArrayList<>();
    for (Route route : Route.values()) {
      if (route != Route.SEARCH || searches) {
        others.add(Entry.route(route.id()));
      }
    }
    ImageCatalogue images = settings.images().models();
    List<ImageModel> drawn =
        images.models().stream()
            .filter(model -> settings.images().upstreams().containsKey(model.source().upstream()))
            .filter(model -> images.find(model.id()).isPresent())
            .toList();
    if (!drawn.isEmpty()) {
      others.add(Entry.route(ImageCatalogue.AUTO));
      drawn.forEach(model -> others.add(Entry.of(model)));
    }
    if (settings.music().baseAddress().isPresent()) {
      others.add(Entry.route(MusicCatalogue.AUTO));
      settings.music().models().models().forEach(model -> others.add(Entry.of(model)));
    }
    return new ModelList(models, others);
  }

  /** All that can be called here and now. */
  List<Entry> entries() {
    List<Entry> entries = new ArrayList<>();
    models.served().forEach(model -> entries.add(Entry.of(model)));
    entries.addAll(others);
    return entries;
  }

  /** What a caller names so, by any of its names. */
  Optional<Entry> find(String name) {
    return models
        .served(name)
        .map(Entry::of)
        .or(() -> others.stream().filter(entry -> entry.answersTo(name)).findFirst());
  }

  /**
   * Something that may be named as a model.
   *
   * @param id its public name
   * @param aliases other names
   * @param owner the vendor's prefix
   * @param released 1970-01-01 where that is not known
   * @param retired from when on it is refused; null for what stays
   * @param details its kind and what it takes and costs, the members of its own in the list
   */
  record Entry(
      String id,
      List<String> aliases,
      String owner,
      LocalDate released,
      @Nullable LocalDate retired,
      ObjectNode details) {

    Entry {
      aliases = List.copyOf(aliases);
    }

    boolean answersTo(String name) {
      return id.equals(name) || aliases.contains(name);
    }

    static Entry of(Model model) {
      ObjectNode details =
          kind("language")
              .put("context_window", model.contextWindow())
              .put("max_output_tokens", model.maxOutput());
      ArrayNode input = details.putArray("input_modalities");
      model.input().stream().sorted().forEach(word -> input.add(word(word)));
      ArrayNode abilities = details.putArray("abilities");
      model.abilities().stream().sorted().forEach(ability -> abilities.add(word(ability)));
      model.price().ifPresent(rates -> details.set("pricing", pricing(rates)));
      return new Entry(
          model.id(), List.of(), model.vendor(), model.released(), model.retired(), details);
    }

    private static ObjectNode pricing(Rates rates) {
      return LanguageJson.object()
          .put("currency", "USD")
          .put("unit", "million_tokens")
          .put("input", dollars(rates.input()))
          .put("output", dollars(rates.output()))
          .put("cache_read", dollars(rates.cacheRead()))
          .put("cache_write", dollars(rates.cacheWrite()))
          .put("cache_write_1h", dollars(rates.cacheWriteHour()));
    }

    static Entry route(String id) {
      return new Entry(id, List.of(), ROUTES, LocalDate.EPOCH, null, kind("route"));
    }

    static Entry of(ImageModel model) {
      return priced(model.id(), model.aliases(), "image", "image", model.micros());
    }

    static Entry of(MusicModel model) {
      return priced(model.id(), model.aliases(), "music", "track", model.micros());
    }

    private static Entry priced(
        String id, List<String> aliases, String kind, String unit, long micros) {
      ObjectNode details = kind(kind);
      details
          .putObject("pricing")
          .put("currency", "USD")
          .put("unit", unit)
          .put("price", dollars(micros));
      String owner = id.contains("/") ? id.substring(0, id.indexOf('/')) : kind;
      return new Entry(id, aliases, owner, LocalDate.EPOCH, null, details);
    }

    private static ObjectNode kind(String kind) {
      return LanguageJson.object().put("kind", kind);
    }

    private static String dollars(long micros) {
      return new Usd(micros).dollars();
    }

    private static String word(Enum<?> constant) {
      return constant.name().toLowerCase(Locale.ROOT);
    }

    /** As the SDKs of chat and responses read it. */
    ObjectNode openForm() {
      ObjectNode view =
          LanguageJson.object()
              .put("id", id)
              .put("object", "model")
              .put("created", released.atStartOfDay().toEpochSecond(ZoneOffset.UTC))
              .put("owned_by", owner);
      return view.setAll(details);
    }

    /** As the SDK of messages reads it; what it would say of a vendor's own models is null. */
    ObjectNode messagesForm() {
      ObjectNode view =
          LanguageJson.object()
              .put("type", "model")
              .put("id", id)
              .put("display_name", id)
              .put("created_at", instant(released))
              .put("lifecycle", retired == null ? "active" : "deprecated")
              .putNull("deprecated_at")
              .put("retires_at", retired == null ? null : instant(retired))
              .putNull("capabilities")
              .putNull("line");
      view.set("max_input_tokens", details.path("context_window"));
      view.set("max_tokens", details.path("max_output_tokens"));
      return view.setAll(details);
    }

    private static String instant(LocalDate day) {
      return day + "T00:00:00Z";
    }
  }
}
