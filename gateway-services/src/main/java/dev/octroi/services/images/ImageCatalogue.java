package dev.octroi.services.images;

import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Every image model that is sold, in the order of its file. Immutable. */
public final class ImageCatalogue {

  /** Leaves the choice to the gateway (decisions, unknown model). */
  public static final String AUTO = "auto/image";

  private final List<ImageModel> models;
  private final Map<String, ImageModel> byName = new HashMap<>();

  ImageCatalogue(List<ImageModel> models) {
    this.models = List.copyOf(models);
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

  /** The names of the upstreams that the models need. */
  public Set<String> upstreams() {
    return models.stream().map(model -> model.source().upstream()).collect(Collectors.toSet());
  }

  static String key(String name) {
    return name.toLowerCase(Locale.ROOT);
  }
}
