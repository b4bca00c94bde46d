package dev.octroi.reference;

import dev.octroi.api.settings.SettingsSources;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.Map;

/**
 * What a reference gateway starts from.
 *
 * @param data where it keeps its state
 * @param sources the operator's settings; what the deployment generates for itself stands below
 */
public record ServeOptions(DataDirectory data, SettingsSources sources) {

  private static final int KEY_BYTES = 32;

  /** A gateway on a free port that knows nothing of its surroundings. */
  public static ServeOptions demo(Path data) {
    return new ServeOptions(
        new DataDirectory(data),
        SettingsSources.none().values("demo", Map.of("gateway.http.port", "0")));
  }

  /**
   * What nobody has to set: the database in the data folder, and the keys of answers and wallets.
   */
  Map<String, String> generated() {
    return Map.of(
        "gateway.database.url", data.databaseUrl(),
        "gateway.database.answer-key", data.secret("answer.key", ServeOptions::freshKey),
        "gateway.keys.master-key", data.secret("master.key", ServeOptions::freshKey));
  }

  private static String freshKey() {
    byte[] key = new byte[KEY_BYTES];
    new SecureRandom().nextBytes(key);
    return Base64.getEncoder().encodeToString(key);
  }
}
