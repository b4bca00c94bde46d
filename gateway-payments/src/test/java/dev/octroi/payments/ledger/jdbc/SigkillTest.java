package dev.octroi.payments.ledger.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.octroi.db.Migrations;
import dev.octroi.payments.NamedStatements;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What an H2 file acknowledged survives a kill, which it does not by its defaults. */
class SigkillTest {

  private static final int ACKNOWLEDGED = 400;

  @TempDir private Path directory;

  @Test
  @Timeout(60)
  @Tag("spec:money.durable")
  @Tag("spec:money.h2_write_delay")
  void everyAcknowledgedClaimAndSettlementIsFoundAfterAKill() throws Exception {
    String url = "jdbc:h2:async:" + directory.resolve("books") + ";WRITE_DELAY=0";
    try (HikariDataSource pool = pool(url)) {
      Migrations.apply(pool);
    }

    Set<String> acknowledged = killAfter(ACKNOWLEDGED, url);

    assertThat(acknowledged).hasSizeGreaterThanOrEqualTo(ACKNOWLEDGED);
    try (HikariDataSource pool = pool(url)) {
      Map<UUID, String> states = new HashMap<>();
      NamedStatements.of(pool)
          .useHandle(
              handle ->
                  handle
                      .createQuery("SELECT id, state FROM payment")
                      .map(
                          (row, context) ->
                              states.put(row.getObject(1, UUID.class), row.getString(2)))
                      .list());
      assertThat(acknowledged)
          .allSatisfy(
              line ->
                  assertThat(states)
                      .containsEntry(
                          UUID.fromString(line.substring(line.indexOf(' ') + 1)),
                          line.substring(0, line.indexOf(' '))));
    }
  }

  private static Set<String> killAfter(int lines, String url)
      throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                ClaimUntilKilled.class.getName(),
                url)
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    Set<String> acknowledged = new LinkedHashSet<>();
    try (BufferedReader out = process.inputReader()) {
      String line = out.readLine();
      while (line != null) {
        if (line.matches("(CLAIMED|SETTLED) [0-9a-f-]{36}")) {
          acknowledged.add(line);
        }
        if (acknowledged.size() == lines) {
          // Through its handle, because the process itself would close the stream as well.
          process.toHandle().destroyForcibly();
        }
        line = out.readLine();
      }
    } finally {
      process.destroyForcibly();
    }
    assertThat(process.waitFor(10, TimeUnit.SECONDS)).isTrue();
    return acknowledged;
  }

  private static HikariDataSource pool(String url) {
    HikariDataSource pool = new HikariDataSource();
    pool.setJdbcUrl(url);
    return pool;
  }
}
