package dev.octroi.services;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Reads the text of a catalogue of models; what it throws says what is wrong. */
public final class CatalogueText {

  private static final JsonMapper STRICT =
      JsonMapper.builder()
          .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build();

  private CatalogueText() {}

  /**
   * The text of an operator's file.
   *
   * @param mebibytes how large it may be: far above any catalogue, far below what a mistaken path
   *     could fill memory with
   * @throws IllegalArgumentException if it cannot be read, or is larger
   */
  public static byte[] of(Path file, int mebibytes) {
    int most = mebibytes << 20;
    try (InputStream in = Files.newInputStream(file)) {
      byte[] json = in.readNBytes(most + 1);
      if (json.length > most) {
        throw new IllegalArgumentException(
            "the catalogue " + file + " is larger than " + mebibytes + " MiB");
      }
      return json;
    } catch (IOException unreadable) {
      throw new IllegalArgumentException("the catalogue " + file + " cannot be read", unreadable);
    }
  }

  /**
   * The entries of a catalogue that has no other members.
   *
   * @throws IllegalArgumentException if it is none
   */
  public static <T> T read(byte[] json, Class<T> entries) {
    try {
      return STRICT.readValue(json, entries);
    } catch (JsonProcessingException wrong) {
      throw new IllegalArgumentException(place(wrong), wrong);
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }

  /** On which line a text is wrong, and why. */
  public static String place(JsonProcessingException wrong) {
    int line = wrong.getLocation() == null ? 1 : wrong.getLocation().getLineNr();
    return "line " + line + ": " + wrong.getOriginalMessage();
  }
}
