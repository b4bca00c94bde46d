package dev.octroi.api.settings;

import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotBlank;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;

/** The ledger's database, {@code gateway.database}. */
public record DatabaseSettings(
    @Setting(
            about =
                "JDBC address, H2 or PostgreSQL. H2 loses acknowledged commits without"
                    + " `WRITE_DELAY=0`, and closes before the last calls end without"
                    + " `DB_CLOSE_ON_EXIT=FALSE`; by itself it remembers 8 statements a connection,"
                    + " fewer than a call has. An answer of PostgreSQL is waited for one minute"
                    + " unless the address says another `socketTimeout`.",
            value = DatabaseSettings.H2 + "./octroi-data/octroi" + DatabaseSettings.H2_OPTIONS)
        @NotBlank
        String url,
    @Setting(
            about =
                "The name of a container's own pool of connections (a JNDI `DataSource`), such as"
                    + " `java:jboss/datasources/octroi`: used in place of `url`, user, password and"
                    + " pool. It must take no part in the container's transactions.")
        Optional<String> jndiName,
    @Setting(about = "User name.", value = "octroi") String user,
    @Setting(about = "Password.") Secret password,
    @Setting(about = "Connections kept at most.", value = "8") @Min(2) @Max(200) int poolSize,
    @Setting(about = "How long to wait for a connection.", value = "5s") Duration connectionTimeout,
    @Setting(
            about =
                "The name of this node among those that share the database, 1 to 64 characters;"
                    + " host name and port unless set. Each node has its own: a process that starts"
                    + " under a name takes over what was open under it, so that two living ones"
                    + " end each other's calls. Set it where hosts and ports are alike.")
        Optional<String> node,
    @Setting(
            about =
                "Seals stored answers: 32 bytes in base64, the same on every node. Without it each"
                    + " start makes one of its own, and answers that were stored before the start"
                    + " cannot be had again.")
        Secret answerKey) {

  /** Its file survives interrupted threads. */
  private static final String H2 = "jdbc:h2:async:";

  /**
   * Durable at every acknowledged commit, open until its last connection is closed, and with each
   * statement parsed once a connection.
   */
  private static final String H2_OPTIONS =
      ";WRITE_DELAY=0;DB_CLOSE_ON_EXIT=FALSE;QUERY_CACHE_SIZE=256";

  private static final String POSTGRESQL = "jdbc:postgresql:";

  /** A connection can die without a sign. No statement of a call or of a task takes so long. */
  private static final Map<String, String> POSTGRESQL_DRIVER =
      Map.of("socketTimeout", "60", "tcpKeepAlive", "true");

  private static final int KEY_BYTES = 32;

  public DatabaseSettings {
    if (!answerKey.value().isEmpty() && bytes(answerKey).length != KEY_BYTES) {
      throw new IllegalArgumentException("answer-key is 32 bytes in base64");
    }
    if (node.isPresent() && node.get().length() > 64) {
      throw new IllegalArgumentException("node has at most 64 characters");
    }
  }

  /**
   * The JDBC address of a ledger in an H2 file, which keeps every acknowledged commit and serves
   * calls that still end while the process does.
   *
   * @param file the file, without the ending that H2 adds
   */
  public static String h2Url(Path file) {
    return H2 + file.toAbsolutePath() + H2_OPTIONS;
  }

  /** What the driver is told for calls and tasks; what the address says goes before it. */
  public Properties driverProperties() {
    Properties told = new Properties();
    if (url.startsWith(POSTGRESQL)) {
      told.putAll(POSTGRESQL_DRIVER);
    }
    return told;
  }

  /** The answer key's bytes; empty if it is not set. */
  public Optional<byte[]> answerKeyBytes() {
    return answerKey.value().isEmpty() ? Optional.empty() : Optional.of(bytes(answerKey));
  }

  private static byte[] bytes(Secret key) {
    try {
      return Base64.getDecoder().decode(key.value());
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("answer-key is 32 bytes in base64", e);
    }
  }
}
