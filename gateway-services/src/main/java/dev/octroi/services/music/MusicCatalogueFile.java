package dev.octroi.services.music;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.octroi.services.music.MusicCatalogue.MusicModel;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Reads the catalogue of music models, whose form is documented in {@code docs/music.md}. */
public final class MusicCatalogueFile {

  private static final int MAX_BYTES = 1 << 20;
  private static final int MICRO_PLACES = 6;

  private static final JsonMapper MAPPER =
      JsonMapper.builder()
          .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build();

  private MusicCatalogueFile() {}

  /** The catalogue that holds where an operator states none. */
  public static MusicCatalogue standard() {
    try (InputStream in =
        Objects.requireNonNull(MusicCatalogueFile.class.getResourceAsStream("music.json"))) {
      return read(in.readAllBytes());
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }

  /**
   * An operator's own.
   *
   * @throws IllegalArgumentException if it cannot be read or used, with what is wrong
   */
  public static MusicCatalogue read(Path file) {
    try (InputStream in = Files.newInputStream(file)) {
      return read(in.readNBytes(MAX_BYTES));
    } catch (IOException unreadable) {
      throw new IllegalArgumentException("the catalogue " + file + " cannot be read", unreadable);
    }
  }

  /**
   * A catalogue's text.
   *
   * @throws IllegalArgumentException if it cannot be used, with what is wrong
   */
  public static MusicCatalogue read(byte[] json) {
    try {
      List<Entry> entries = MAPPER.readValue(json, Entries.class).models();
      return new MusicCatalogue(
          entries == null ? List.of() : entries.stream().map(Entry::model).toList());
    } catch (JsonProcessingException wrong) {
      int line = wrong.getLocation() == null ? 1 : wrong.getLocation().getLineNr();
      throw new IllegalArgumentException("line " + line + ": " + wrong.getOriginalMessage(), wrong);
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
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
