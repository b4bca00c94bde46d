package dev.octroi.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import dev.octroi.api.WebhookReceiver.Received;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A gateway that is killed between a sale and the end of its telling tells it after its start. */
@Tag("slow")
class KilledWebhooksTest {

  private static final int SALES = 6;
  private static final Duration PATIENCE = Duration.ofSeconds(90);

  private static Process started(String database, WebhookReceiver receiver, int sales)
      throws IOException {
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:TieredStopAtLevel=1",
            "-cp",
            System.getProperty("java.class.path"),
            WebhooksUntilKilled.class.getName(),
            database,
            receiver.url("/shop"),
            Integer.toString(sales))
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
        .start();
  }

  private static void kill(Process gateway) throws InterruptedException {
    gateway.destroyForcibly();
    assertThat(gateway.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
  }

  /** What is sent by a dead node is due at once, and not half a minute later. */
  private static void makeDue(String url) throws SQLException {
    try (HikariDataSource database = new HikariDataSource()) {
      database.setJdbcUrl(url);
      try (Connection connection = database.getConnection();
          Statement statement = connection.createStatement()) {
        statement.executeUpdate("UPDATE webhook_delivery SET due_at = '2026-01-01'");
      }
    }
  }

  @Test
  void whatANodeWasKilledOverIsToldByTheNextWithTheSameIds(@TempDir Path folder) throws Exception {
    String database = "jdbc:h2:async:" + folder.resolve("octroi") + ";WRITE_DELAY=0";
    try (WebhookReceiver receiver = new WebhookReceiver()) {
      receiver.answers("/shop", exchange -> {});
      Process first = started(database, receiver, SALES);
      await().atMost(PATIENCE).until(() -> !receiver.at("/shop").isEmpty());
      kill(first);
      List<Received> unanswered = receiver.at("/shop");
      makeDue(database);
      receiver.answers("/shop", WebhookReceiver.status(204));
      Process second = started(database, receiver, 0);
      try {
        Set<String> before = ids(unanswered);
        await().atMost(PATIENCE).until(() -> ids(after(receiver, unanswered)).containsAll(before));
      } finally {
        kill(second);
      }
    }
  }

  private static List<Received> after(WebhookReceiver receiver, List<Received> before) {
    return receiver.at("/shop").subList(before.size(), receiver.at("/shop").size());
  }

  private static Set<String> ids(List<Received> received) {
    return received.stream().map(Received::id).collect(Collectors.toSet());
  }
}
