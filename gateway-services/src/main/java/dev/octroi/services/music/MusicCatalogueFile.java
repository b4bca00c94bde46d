package dev.octroi.services.music;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.octroi.services.CatalogueText;
import dev.octroi.services.JarResource;
import dev.octroi.services.music.MusicCatalogue.MusicModel;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads the catalogue of music models, whose form is documented in {@code docs/music.md}. */
public final class MusicCatalogueFile {

  private static final int MICRO_PLACES = 6;

  private MusicCatalogueFile() {}

  /** The catalogue that holds where an operator states none. */
  public static MusicCatalogue standard() {
    return read(JarResource.bytes(MusicCatalogueFile.class, "music.json"));
  }

  /**
   * An operator's own.
   *
   * @throws IllegalArgumentException if it cannot be read or used, with what is wrong
   */
  public static MusicCatalogue read(Path file) {
    return read(CatalogueText.of(file, 1));
  }

  /**
   * A catalogue's text.
   *
   * @throws IllegalArgumentException if it cannot be used, with what is wrong
   */
  public static MusicCatalogue read(byte[] json) {
    List<Entry> entries = CatalogueText.read(json, Entries.class).models();
    return new MusicCatalogue(
        entries == null ? List.of() : entries.stream().map(Entry::model).toList());
  }

  record Entries(@Nullable List<Entry> models) {}

  record Entry(
      @Nullable String id,
      @Nullable List<String> aliases,
      @JsonProperty("upstream_model") @Nullable String upstreamModel,
      @Nullable BigDecimal price) {

    MusicModel model() {
      if (id == null || id.isBlank() || upstreamModel == null || price == null) {
        throw new IllegalArgumentException("a model has id, upstream_model and price");
      }
      try {
        return new MusicModel(
            id,
            aliases == null ? List.of() : aliases,
            upstreamModel,
            price.movePointRight(MICRO_PLACES).longValueExact());
      } catch (ArithmeticException e) {
        throw new IllegalArgumentException(id + ": price has at most six places", e);
      }
    }
  }
}
