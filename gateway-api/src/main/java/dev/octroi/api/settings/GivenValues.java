package dev.octroi.api.settings;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The sources' values under the names of settings; what names none becomes a problem. */
final class GivenValues {

  private final Map<String, SettingKey> byName = new LinkedHashMap<>();
  private final Map<String, SettingKey> byVariable = new HashMap<>();
  private final Map<String, Given> values = new TreeMap<>();

  /** What stands before the words of things that have names of their own. */
  private final Set<String> tables = new LinkedHashSet<>();

  private GivenValues(List<SettingKey> keys) {
    for (SettingKey key : keys) {
      byName.put(key.name(), key);
      byVariable.put(Words.environment(key.name()), key);
      int word = key.name().indexOf("." + Entries.WORD);
      if (word >= 0) {
        tables.add(key.name().substring(0, word));
      }
    }
  }

  static GivenValues of(SettingsSources sources, List<SettingKey> keys, List<String> problems) {
    GivenValues given = new GivenValues(keys);
    for (List<Given> layer : sources.layers()) {
      for (Given value : layer) {
        given
            .nameOf(value)
            .ifPresentOrElse(
                name -> given.values.putIfAbsent(name, value),
                () -> problems.add(given.unknown(value)));
      }
    }
    return given;
  }

  /** The strongest source's value of a setting. */
  @Nullable Given of(String name) {
    return values.get(name);
  }

  /** The values of a map's entries by the word after the map's own key. */
  Map<String, Given> below(String name) {
    Map<String, Given> entries = new LinkedHashMap<>();
    values.forEach(
        (key, value) -> {
          if (key.startsWith(name + ".")) {
            entries.put(key.substring(name.length() + 1), value);
          }
        });
    return entries;
  }

  /** Where a value stands, as a message says it. */
  static String describe(Given value) {
    return value.isVariable() ? "environment variable " + value.name() : value.place();
  }

  private Optional<String> nameOf(Given value) {
    return value.isVariable() ? nameOfVariable(value.name()) : nameOfKey(value.name());
  }

  private Optional<String> nameOfKey(String name) {
    SettingKey exact = byName.get(name);
    if (exact != null) {
      return exact.isMap() ? Optional.empty() : Optional.of(name);
    }
    return byName.values().stream()
        .filter(key -> key.isMap() && name.startsWith(key.name() + "."))
        .map(key -> name)
        .findFirst()
        .or(() -> nameOfEntry(name));
  }

  /** Of a thing that has a name of its own: the key is known with the place of the name in it. */
  private Optional<String> nameOfEntry(String name) {
    return tables.stream()
        .flatMap(table -> wordAfter(table + ".", name, '.').stream())
        .filter(entry -> nameOfKey(entry.generic(Entries.WORD)).isPresent())
        .map(entry -> name)
        .findFirst();
  }

  /**
   * A name with a word in it that operators choose.
   *
   * @param before what stands before the word
   * @param rest what stands after it
   */
  private record WordInside(String before, String word, String rest) {

    String generic(String placeholder) {
      return before + placeholder + rest;
    }
  }

  private static Optional<WordInside> wordAfter(String before, String name, char separator) {
    int end = name.indexOf(separator, before.length());
    return name.startsWith(before) && end > before.length() && name.charAt(before.length()) != '<'
        ? Optional.of(
            new WordInside(before, name.substring(before.length(), end), name.substring(end)))
        : Optional.empty();
  }

  private Optional<String> nameOfVariable(String variable) {
    SettingKey exact = byVariable.get(variable);
    if (exact != null && !exact.isMap()) {
      return Optional.of(exact.name());
    }
    return byVariable.entrySet().stream()
        .filter(key -> key.getValue().isMap() && variable.startsWith(key.getKey() + "_"))
        .map(key -> entryOf(key.getValue(), variable.substring(key.getKey().length() + 1)))
        .findFirst()
        .or(() -> nameOfEntryVariable(variable));
  }

  private Optional<String> nameOfEntryVariable(String variable) {
    return tables.stream()
        .flatMap(table -> wordAfter(Words.environment(table + "."), variable, '_').stream())
        .flatMap(
            entry ->
                nameOfVariable(entry.generic(Words.environment(Entries.WORD)))
                    .map(name -> name.replace(Entries.WORD, entry.word().toLowerCase(Locale.ROOT)))
                    .stream())
        .findFirst();
  }

  private static String entryOf(SettingKey map, String rest) {
    return map.name() + "." + rest.toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** A key as it would be of the thing that a value names. */
  private String named(String key, Given value) {
    return tables.stream()
        .filter(table -> key.startsWith(table + "."))
        .flatMap(table -> wordAfter(table + ".", value.name(), '.').stream())
        .map(entry -> key.replace(Entries.WORD, entry.word()))
        .findFirst()
        .orElse(key);
  }

  private String unknown(Given value) {
    List<String> names = new ArrayList<>();
    byName
        .values()
        .forEach(
            key -> {
              String name = named(key.isMap() ? key.name() + ".…" : key.name(), value);
              names.add(value.isVariable() ? Words.environment(name) : name);
            });
    String meant =
        Words.closest(value.name(), names).map(name -> "; did you mean " + name + "?").orElse("");
    return value.name() + " (" + value.place() + "): there is no such setting" + meant;
  }
}
