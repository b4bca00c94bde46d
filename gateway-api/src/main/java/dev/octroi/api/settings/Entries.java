package dev.octroi.api.settings;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;

/**
 * Settings of things that operators give names to, such as {@code gateway.routes.<word>.path}.
 * Immutable.
 *
 * @param values by word, in the order of the alphabet
 * @param lines what was given of each, by word: full keys, and where each stands
 * @param <R> the settings of one of them
 */
public record Entries<R extends Record>(Map<String, R> values, Map<String, List<Given>> lines) {

  /** Stands for the word in the names of keys. */
  static final String WORD = "<word>";

  /** Of what operators give names to: a word that stands in settings, paths and figures. */
  private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9]{0,31}");

  public Entries {
    values = Map.copyOf(values);
    lines = Map.copyOf(lines);
  }

  /** Whether a word can be a name. */
  public static boolean isName(String word) {
    return NAME.matcher(word).matches();
  }

  /** None. */
  public static <R extends Record> Entries<R> none() {
    return new Entries<>(Map.of(), Map.of());
  }

  /** What is set for one of the words. */
  public R of(String word) {
    return Objects.requireNonNull(values.get(word));
  }

  /** The words, in the order of the alphabet. */
  public List<String> words() {
    return values.keySet().stream().sorted().toList();
  }
}
