package dev.octroi.api.settings;

import dev.octroi.api.validation.BodyReader.HouseValidator;
import jakarta.validation.ConstraintViolation;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Binds a settings record from flat keys and reports every problem at once. One instance reads
 * once.
 *
 * <p>Not a configuration library, on purpose: see {@code docs/decisions/settings.md}.
 */
final class SettingsReader {

  private final GivenValues given;
  private final Map<String, SettingKey> keys = new LinkedHashMap<>();
  private final List<String> problems;

  private SettingsReader(GivenValues given, List<SettingKey> keys, List<String> problems) {
    this.given = given;
    this.problems = problems;
    keys.forEach(key -> this.keys.put(key.name(), key));
  }

  /**
   * Reads a record.
   *
   * @param prefix what all its keys begin with, without the dot
   * @throws InvalidSettings with every problem
   */
  static <T extends Record> T read(Class<T> type, String prefix, SettingsSources sources) {
    List<SettingKey> keys = SettingKey.of(prefix, type);
    List<String> problems = new ArrayList<>(sources.problems());
    GivenValues given = GivenValues.of(sources, keys, problems);
    SettingsReader reader = new SettingsReader(given, keys, problems);
    T bound = reader.bind(type, prefix);
    if (bound == null || !problems.isEmpty()) {
      throw new InvalidSettings(problems);
    }
    return bound;
  }

  private <T extends Record> @Nullable T bind(Class<T> type, String prefix) {
    RecordComponent[] components = type.getRecordComponents();
    Object[] values = new Object[components.length];
    boolean complete = true;
    for (int i = 0; i < components.length; i++) {
      String name = prefix + "." + Words.kebab(components[i].getName());
      Object value = component(components[i], name);
      complete &= value != null;
      if (value != null && isJudged(name)) {
        Constraints.broken(type, components[i].getName(), value)
            .forEach(message -> complain(name, message));
      }
      values[i] = value;
    }
    return complete ? construct(type, prefix, components, values) : null;
  }

  /** A default obeys its constraints: tests see to it, so that no start has to read them all. */
  private boolean isJudged(String name) {
    SettingKey key = keys.get(name);
    if (key == null) {
      return false;
    }
    if (key.isMap()) {
      return given.below(name).values().stream().anyMatch(Given::isOperators);
    }
    Given value = given.of(name);
    return value != null && value.isOperators();
  }

  private @Nullable Object component(RecordComponent component, String name) {
    if (component.getType() == Entries.class) {
      return entries(SettingKey.entry(component), name);
    }
    SettingKey key = keys.get(name);
    return key == null ? bind(component.getType().asSubclass(Record.class), name) : leaf(key);
  }

  /** Null after a problem. */
  private <T extends Record> @Nullable Entries<T> entries(Class<T> type, String name) {
    Map<String, List<Given>> lines = new LinkedHashMap<>();
    given
        .below(name)
        .forEach(
            (key, value) ->
                lines
                    .computeIfAbsent(key.substring(0, key.indexOf('.')), word -> new ArrayList<>())
                    .add(value.as(name + "." + key)));
    Map<String, T> values = new LinkedHashMap<>();
    lines.forEach(
        (word, ofIt) -> {
          String prefix = name + "." + word;
          if (!Entries.isName(word)) {
            problems.add(
                prefix + " (" + ofIt.get(0).place() + "): a name is lower-case letters and digits");
            return;
          }
          SettingKey.of(prefix, type).forEach(key -> keys.put(key.name(), key));
          T entry = bind(type, prefix);
          if (entry != null) {
            values.put(word, entry);
          }
        });
    return values.size() == lines.size() ? new Entries<>(values, lines) : null;
  }

  private <T extends Record> @Nullable T construct(
      Class<T> type, String prefix, RecordComponent[] components, Object[] values) {
    Class<?>[] types =
        Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
    try {
      return type.getDeclaredConstructor(types).newInstance(values);
    } catch (InvocationTargetException e) {
      if (e.getCause() instanceof IllegalArgumentException refused) {
        problems.add(prefix + ": " + refused.getMessage());
        return null;
      }
      throw new IllegalStateException(type + " cannot be made", e);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(type + " cannot be made", e);
    }
  }

  /** The value of a leaf; null after a problem. */
  private @Nullable Object leaf(SettingKey key) {
    if (key.isMap()) {
      return map(key);
    }
    Given value = given.of(key.name());
    String text = value == null ? key.defaultText() : value.value();
    if (key.isList()) {
      return list(key, text);
    }
    if (text.isEmpty() && key.isOptional()) {
      return Optional.empty();
    }
    if (text.isEmpty() && key.valueType() != Secret.class && key.valueType() != String.class) {
      complain(key.name(), "it is required");
      return null;
    }
    Object read = one(key, key.name(), text);
    return read != null && key.isOptional() ? Optional.of(read) : read;
  }

  private @Nullable Object list(SettingKey key, String text) {
    List<Object> values = new ArrayList<>();
    for (String element : text.split(",", -1)) {
      if (!element.isBlank()) {
        Object read = one(key, key.name(), element.strip());
        if (read == null) {
          return null;
        }
        values.add(read);
      }
    }
    return List.copyOf(values);
  }

  private @Nullable Object map(SettingKey key) {
    Map<String, String> texts = new LinkedHashMap<>();
    for (String pair : key.defaultText().split(",", -1)) {
      if (!pair.isEmpty()) {
        texts.put(pair.substring(0, pair.indexOf('=')), pair.substring(pair.indexOf('=') + 1));
      }
    }
    given.below(key.name()).forEach((word, value) -> texts.put(word, value.value()));
    Map<Object, Object> values = new LinkedHashMap<>();
    for (Map.Entry<String, String> entry : texts.entrySet()) {
      String name = key.name() + "." + entry.getKey();
      Object word = read(key.mapKeyType(), name, entry.getKey(), false);
      Object value = one(key, name, entry.getValue());
      if (word != null && value != null) {
        values.put(word, value);
      }
    }
    return Collections.unmodifiableMap(values);
  }

  private @Nullable Object one(SettingKey key, String name, String text) {
    return read(key.valueType(), name, text, key.isSecret());
  }

  private @Nullable Object read(Class<?> type, String name, String text, boolean secret) {
    try {
      return SettingText.read(type, text);
    } catch (IllegalArgumentException | ArithmeticException e) {
      complain(name, (secret ? "" : "'" + text + "' does not do: ") + e.getMessage());
      return null;
    }
  }

  private void complain(String name, String what) {
    Given value = given.of(name);
    String place = value == null ? "" : " (" + GivenValues.describe(value) + ")";
    problems.add(name + place + ": " + what);
  }

  /** The constraints on settings. */
  static final class Constraints {

    private Constraints() {}

    /** What a record's component would break with this value, one message per constraint. */
    static List<String> broken(Class<? extends Record> record, String component, Object value) {
      return HouseValidator.get().validateValue(record, component, value).stream()
          .map(ConstraintViolation::getMessage)
          .sorted()
          .toList();
    }
  }
}
