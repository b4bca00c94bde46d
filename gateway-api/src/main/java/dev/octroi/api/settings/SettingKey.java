package dev.octroi.api.settings;

import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * One setting: a leaf of the records.
 *
 * @param name the full key, such as {@code gateway.database.url}
 * @param type its Java type, generic for optionals, lists and maps
 * @param about what it does
 * @param defaultText the default as text, empty for none
 */
record SettingKey(String name, Type type, String about, String defaultText) {

  /** All leaves of a record, depth first in the order of declaration. */
  static List<SettingKey> of(String prefix, Class<?> record) {
    List<SettingKey> keys = new ArrayList<>();
    for (RecordComponent component : record.getRecordComponents()) {
      String name = prefix + "." + Words.kebab(component.getName());
      if (component.getType() == Entries.class) {
        keys.addAll(of(name + "." + Entries.WORD, entry(component)));
      } else if (component.getType().isRecord() && !isValue(component.getType())) {
        keys.addAll(of(name, component.getType()));
      } else {
        keys.add(leaf(name, component));
      }
    }
    return keys;
  }

  /** The settings of one of the things that a component has settings of. */
  static Class<? extends Record> entry(RecordComponent component) {
    ParameterizedType entries = (ParameterizedType) component.getGenericType();
    return ((Class<?>) entries.getActualTypeArguments()[0]).asSubclass(Record.class);
  }

  static boolean isValue(Class<?> type) {
    return SettingText.reads(type);
  }

  private static SettingKey leaf(String name, RecordComponent component) {
    Setting setting = component.getAnnotation(Setting.class);
    if (setting == null) {
      throw new IllegalStateException(name + " has no @Setting");
    }
    return new SettingKey(name, component.getGenericType(), setting.about(), setting.value());
  }

  boolean isMap() {
    return raw() == Map.class;
  }

  boolean isList() {
    return raw() == List.class;
  }

  boolean isOptional() {
    return raw() == Optional.class;
  }

  /** The type of one value: of an element, of a map's value, or of the setting itself. */
  Class<?> valueType() {
    return type instanceof ParameterizedType generic
        ? (Class<?>) generic.getActualTypeArguments()[isMap() ? 1 : 0]
        : (Class<?>) type;
  }

  /** The type of a map's keys. */
  Class<?> mapKeyType() {
    return (Class<?>) ((ParameterizedType) type).getActualTypeArguments()[0];
  }

  boolean isSecret() {
    return valueType() == Secret.class;
  }

  private Class<?> raw() {
    return type instanceof ParameterizedType generic
        ? (Class<?>) generic.getRawType()
        : (Class<?>) type;
  }
}
