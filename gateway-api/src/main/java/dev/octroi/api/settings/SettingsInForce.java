package dev.octroi.api.settings;

import java.lang.reflect.RecordComponent;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The settings as they hold, by key and as a file would have them, without any secret. */
public final class SettingsInForce {

  /** Addresses of databases and nodes may carry secrets in their parameters or user part. */
  private static final Pattern HIDDEN =
      Pattern.compile("(?i)((?:password|passwd|secret|token|key)=)[^;&]*|(?<=//)[^/@]+(?=@)");

  private static final long SECOND = 1000;

  private SettingsInForce() {}

  public static Map<String, String> of(GatewaySettings settings) {
    Map<String, String> texts = new LinkedHashMap<>();
    add("gateway", settings, texts);
    return texts;
  }

  private static void add(String prefix, Record settings, Map<String, String> texts) {
    for (RecordComponent component : settings.getClass().getRecordComponents()) {
      String name = prefix + "." + Words.kebab(component.getName());
      Object value = valueOf(component, settings);
      if (value instanceof Entries<?> entries) {
        entries
            .words()
            .forEach(
                word ->
                    add(
                        name + "." + word,
                        Objects.requireNonNull(entries.values().get(word)),
                        texts));
      } else if (value instanceof Record nested && !SettingKey.isValue(component.getType())) {
        add(name, nested, texts);
      } else if (value instanceof Map<?, ?> map) {
        map.forEach((word, one) -> texts.put(name + "." + text(word), text(one)));
      } else {
        texts.put(name, text(value));
      }
    }
  }

  private static @Nullable Object valueOf(RecordComponent component, Record settings) {
    try {
      return component.getAccessor().invoke(settings);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(component + " cannot be read", e);
    }
  }

  private static String text(@Nullable Object value) {
    if (value instanceof Optional<?> optional) {
      return optional.map(SettingsInForce::text).orElse("");
    }
    if (value instanceof List<?> list) {
      return list.stream().map(SettingsInForce::text).collect(Collectors.joining(","));
    }
    if (value instanceof Enum<?> constant) {
      return Words.ofConstant(constant);
    }
    if (value instanceof Duration duration) {
      long millis = duration.toMillis();
      return millis % SECOND == 0 ? millis / SECOND + "s" : millis + "ms";
    }
    return HIDDEN
        .matcher(String.valueOf(value))
        .replaceAll(match -> match.group(1) == null ? "****" : match.group(1) + "****");
  }
}
