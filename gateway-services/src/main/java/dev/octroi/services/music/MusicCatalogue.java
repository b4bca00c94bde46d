package dev.octroi.services.music;

import dev.octroi.services.ErrorCode;
import dev.octroi.services.Failure;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** Every music model that is sold, in the order of its file. Immutable. */
public final class MusicCatalogue {

  /** Leaves the choice to the gateway: the first model. */
  public static final String AUTO = "auto/music";

  private final List<MusicModel> models;
  private final Map<String, MusicModel> byName = new HashMap<>();

  /**
   * @throws IllegalArgumentException if there is none, or two have the same name
   */
  MusicCatalogue(List<MusicModel> models) {
    if (models.isEmpty()) {
      throw new IllegalArgumentException("there is no model");
    }
    this.models = List.copyOf(models);
    put(AUTO, models.get(0));
    for (MusicModel model : models) {
      put(model.id(), model);
      model.aliases().forEach(alias -> put(alias, model));
    }
  }

  private void put(String name, MusicModel model) {
    if (byName.put(key(name), model) != null) {
      throw new IllegalArgumentException("the name " + name + " is taken");
    }
  }

  /** All of them, in the order of the file. */
  public List<MusicModel> models() {
    return models;
  }

  /** The model of that name or alias. */
  public Optional<MusicModel> find(String name) {
    return Optional.ofNullable(byName.get(key(name)));
  }

  /**
   * The same for a request.
   *
   * @throws Failure 400 if there is none
   */
  public MusicModel require(String name) {
    return find(name)
        .orElseThrow(
            () ->
                new Failure(
                    ErrorCode.MODEL_NOT_FOUND,
                    "There is no such music model; there are "
                        + AUTO
                        + ", "
                        + models.stream().map(MusicModel::id).collect(Collectors.joining(", "))
                        + " (setting gateway.music.catalogue)"));
  }

  private static String key(String name) {
    return name.toLowerCase(Locale.ROOT);
  }

  /**
   * A model that makes tracks.
   *
   * @param id by which it is sold
   * @param aliases other names of it
   * @param vendorName by which the vendor knows it
   * @param micros what a track costs, in millionths of a dollar
   */
  public record MusicModel(String id, List<String> aliases, String vendorName, long micros) {

    public MusicModel {
      aliases = List.copyOf(aliases);
      if (micros <= 0) {
        throw new IllegalArgumentException("a track costs something");
      }
    }
  }
}
