package dev.octroi.reference;

import dev.octroi.api.settings.GatewaySettings;
import dev.octroi.api.settings.SettingsSources;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;

/**
 * What a reference gateway starts from.
 *
 * @param data where it keeps its state
 * @param sources the operator's settings; what the deployment generates for itself stands below
 */
public record ServeOptions(DataDirectory data, SettingsSources sources) {

  /** So many that one group may have all the calls in flight that it may have anywhere. */
  private static final String THREADS = "848";

  private static final int KEY_BYTES = 32;
  private static final String H2 = "jdbc:h2:";

  /** A gateway on a free port that knows nothing of its surroundings. */
  public static ServeOptions demo(Path data) {
    return new ServeOptions(
        new DataDirectory(data),
        SettingsSources.none().values("demo", Map.of("gateway.http.port", "0")));
  }

  /**
   * What the operator need not set: the server's threads, the database in the data folder, the keys
   * of stored answers and of managed wallets, the operator's token. Where database and secrets are
   * set the folder is not made.
   *
   * @param given what the operator set; a secret of his is not made once more, where it would only
   *     mislead
   */
  Map<String, String> generated(GatewaySettings given) {
    Map<String, String> generated = new HashMap<>();
    generated.put("gateway.http.threads", THREADS);
    if (given.database().url().startsWith(H2)) {
      generated.put("gateway.database.url", data.databaseUrl());
    }
    if (given.database().answerKey().value().isEmpty()) {
      generated.put(
          "gateway.database.answer-key", data.secret("answer.key", ServeOptions::freshKey));
    }
    if (given.keys().masterKeys().isEmpty()) {
      generated.put("gateway.keys.master-key", data.secret("master.key", ServeOptions::freshKey));
    }
    if (given.admin().token().value().isEmpty()) {
      generated.put("gateway.admin.token", data.secret("admin-token", ServeOptions::freshToken));
    }
    return generated;
  }

  private static String freshToken() {
    byte[] token = new byte[KEY_BYTES];
    new SecureRandom().nextBytes(token);
    return Base64.getUrlEncoder().withoutPadding().encodeToString(token);
  }

  /** A secret of 32 bytes, in base64. */
  static String freshKey() {
    byte[] key = new byte[KEY_BYTES];
    new SecureRandom().nextBytes(key);
    return Base64.getEncoder().encodeToString(key);
  }
}
