package dev.octroi.api.change;

import dev.octroi.api.settings.InvalidSettings;
import dev.octroi.payments.account.MasterKeys;
import dev.octroi.payments.account.MasterKeys.Sealed;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What changes have besides their plain lines: secrets, which are sealed in the database, and the
 * documents that they name. Thread-safe.
 */
public final class ChangeParts {

  private static final Pattern SECRET = Pattern.compile("gateway\\.routes\\.[^.]+\\.header\\..+");
  private static final Pattern SEALED = Pattern.compile("sealed:([^:]{1,64}):([A-Za-z0-9+/=]+)");

  private final ChangeStore store;
  private final Optional<MasterKeys> keys;
  private final Map<Document, String> documents = new ConcurrentHashMap<>();

  private record Document(long change, String route) {}

  /**
   * @param keys seal secrets; without them no change can have any
   */
  public ChangeParts(ChangeStore store, Optional<MasterKeys> keys) {
    this.store = store;
    this.keys = keys;
  }

  /** Whether a line is a secret: it is sealed in the database, and never shown. */
  public static boolean isSecret(String key) {
    return SECRET.matcher(key).matches();
  }

  /**
   * A line as the database may have it.
   *
   * @throws InvalidSettings if it is a secret and there is no master key
   */
  public String sealed(String key, String value) {
    if (!isSecret(key)) {
      return value;
    }
    Sealed sealed =
        keys.orElseThrow(
                () ->
                    new InvalidSettings(
                        List.of(
                            key
                                + " is a secret, which is sealed by a master key: set"
                                + " gateway.keys.master-key, or leave it to the file")))
            .seal(value.getBytes(StandardCharsets.UTF_8), context(key));
    return "sealed:" + sealed.keyId() + ":" + Base64.getEncoder().encodeToString(sealed.bytes());
  }

  /**
   * What a line says.
   *
   * @throws InvalidSettings if it is a secret whose master key is not at hand
   */
  public String opened(String key, String value) {
    if (!isSecret(key)) {
      return value;
    }
    Matcher form = SEALED.matcher(value);
    if (keys.isEmpty() || !form.matches()) {
      throw closed(key);
    }
    try {
      Sealed sealed = new Sealed(form.group(1), Base64.getDecoder().decode(form.group(2)));
      return new String(keys.get().open(sealed, context(key)), StandardCharsets.UTF_8);
    } catch (IllegalStateException e) {
      throw closed(key);
    }
  }

  /** The change with its secrets under the master key that seals now, as far as they open. */
  public SettingsChange resealed(SettingsChange change) {
    Map<String, Optional<String>> lines = new LinkedHashMap<>();
    change.lines().forEach((key, value) -> lines.put(key, value.map(text -> resealed(key, text))));
    return new SettingsChange(
        change.number(), change.written(), change.from(), change.by(), change.note(), lines);
  }

  private String resealed(String key, String value) {
    Matcher form = SEALED.matcher(value);
    boolean older =
        isSecret(key)
            && form.matches()
            && keys.filter(known -> !known.current().equals(form.group(1))).isPresent();
    try {
      return older ? sealed(key, opened(key, value)) : value;
    } catch (InvalidSettings keyIsGone) {
      return value;
    }
  }

  private static InvalidSettings closed(String key) {
    return new InvalidSettings(
        List.of(key + ": the master key that sealed it is not among gateway.keys.master-key"));
  }

  private static byte[] context(String key) {
    return ("settings_change " + key).getBytes(StandardCharsets.UTF_8);
  }

  /** Takes the document of a change that is not written yet. */
  public void take(long change, String route, String text) {
    documents.put(new Document(change, route), text);
  }

  /** The document that a change names for a route. */
  public String document(long change, String route) {
    return documents.computeIfAbsent(
        new Document(change, route),
        wanted ->
            store
                .document(change, route)
                .orElseThrow(
                    () ->
                        new InvalidSettings(
                            List.of("change " + change + " has no document for " + route))));
  }
}
