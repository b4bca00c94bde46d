package dev.octroi.api.settings;

import java.util.stream.Collectors;

/** The reference page of all settings, made from the records. */
final class SettingsReference {

  private static final String HEAD =
      """
      # Configuration

      Made from the settings records by a test (`-Doctroi.write` writes it anew); do not edit.

      The strongest source first: command line, system properties, environment, file
      (`gateway.config`), profile, default. `gateway.database.url` is `GATEWAY_DATABASE_URL` in the
      environment. Durations are written `250ms`, `20s`, `15min`, `48h`; sizes `64KiB`, `4MiB`;
      lists are comma-separated. A key that does not exist is an error, and every problem is
      reported at once, with its place.

      | Setting | Default | What it does |
      |---|---|---|
      """;

  private SettingsReference() {}

  static String page() {
    return SettingKey.of("gateway", GatewaySettings.class).stream()
        .map(SettingsReference::row)
        .collect(Collectors.joining("", HEAD, ""));
  }

  private static String row(SettingKey key) {
    String name = key.isMap() ? key.name() + ".<word>" : key.name();
    return "| `%s` | %s | %s%s |%n"
        .formatted(name, defaultOf(key), key.about(), kindOf(key))
        .replace(System.lineSeparator(), "\n");
  }

  private static String defaultOf(SettingKey key) {
    return key.defaultText().isEmpty() ? "" : "`" + key.defaultText() + "`";
  }

  private static String kindOf(SettingKey key) {
    if (key.isSecret()) {
      return " Secret: never logged.";
    }
    return key.valueType().isEnum() && !key.isMap()
        ? " One of `" + String.join("`, `", SettingText.words(key.valueType())) + "`."
        : "";
  }
}
