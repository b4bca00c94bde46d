package dev.octroi.api.catalogue;

import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Objects;
import java.util.Properties;

/** What parameters are, by their names, from {@code parameters.properties}. Immutable. */
public final class ParameterTexts {

  private static final ParameterTexts KNOWN = new ParameterTexts();

  private final Properties texts = new Properties();

  private ParameterTexts() {
    try (InputStream file = ParameterTexts.class.getResourceAsStream("parameters.properties")) {
      texts.load(new InputStreamReader(Objects.requireNonNull(file), StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A sentence for a parameter; of a name that no line has, its words. */
  public static String of(String name) {
    String words = name.replaceAll("[_-]+", " ").strip();
    return KNOWN.texts.getProperty(
        name,
        words.isEmpty()
            ? name
            : words.substring(0, 1).toUpperCase(Locale.ROOT) + words.substring(1) + ".");
  }
}
