package dev.octroi.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.octroi.db.PostgresServer;
import java.net.http.HttpResponse;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import javax.sql.DataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OperatorViewsOnPostgresTest extends OperatorViewsContract {

  @Override
  DataSource emptyDatabase() {
    return PostgresServer.require().emptyDatabase();
  }

  @Override
  String bytes(String hex) {
    return "'\\x" + hex + "'";
  }

  @Test
  void aPageIsReadFromAnIndexWithoutSorting() throws SQLException {
    try (Connection connection = PostgresServer.require().emptyDatabase().getConnection();
        Statement statement = connection.createStatement()) {
      // Tables of a few rows are read whole otherwise.
      statement.execute("SET enable_seqscan = off");
      statement.execute("SET enable_bitmapscan = off");
      for (Map.Entry<String, String> table :
          Map.of("lease", "bought", "voice_call", "placed", "image_job", "created").entrySet()) {
        String index = table.getKey() + "_" + table.getValue();
        String plan = plan(statement, table.getKey(), table.getValue() + "_at");
        assertThat(plan).contains("Scan Backward using " + index).doesNotContain("Sort");
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"2, 1", "3, 1", "4, 1", "5, 2"})
  @Tag("slow")
  void readsThatDoNotEndLeaveConnectionsToPayments(int connections, int ofReads) throws Exception {
    String url = PostgresServer.require().emptyDatabaseUrl();
    try (HikariDataSource pool = pool(url, connections);
        Admin admin =
            new Admin(Map.of("gateway.database.pool-size", Integer.toString(connections)), pool);
        Connection held = DriverManager.getConnection(url)) {
      hold(held, "operator_action");
      List<CompletableFuture<HttpResponse<String>>> reads = new ArrayList<>();
      for (int read = 0; read < 4; read++) {
        reads.add(asked(admin, "actions"));
      }
      await().until(() -> waiting(held) > 0);

      assertThat(any(reads).statusCode()).isEqualTo(429);
      assertThat(any(reads).headers().firstValue("Retry-After")).isPresent();
      assertThat(waiting(held)).isEqualTo(ofReads);
      assertThat(admin.host().paid("/v1/marketplace/cryptodata/market/etf").status())
          .isEqualTo(200);
      held.rollback();
      reads.forEach(CompletableFuture::join);
      assertThat(asked(admin, "actions").join().statusCode()).isEqualTo(200);
    }
  }

  @Test
  void oneVerificationOfTheBooksIsUnderWayAtATime() throws Exception {
    String url = PostgresServer.require().emptyDatabaseUrl();
    try (HikariDataSource pool = pool(url, 4);
        Admin admin = new Admin(pool);
        Connection held = DriverManager.getConnection(url)) {
      hold(held, "journal_closing");
      CompletableFuture<Integer> first =
          CompletableFuture.supplyAsync(() -> admin.status("POST", "books/verify", "{}"));
      await().until(() -> waiting(held) == 1);

      assertThat(admin.status("POST", "books/verify", "{}")).isEqualTo(429);
      held.rollback();
      assertThat(first.join()).isEqualTo(200);
      assertThat(admin.status("POST", "books/verify", "{}")).isEqualTo(200);
    }
  }

  private static HikariDataSource pool(String url, int connections) {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(url);
    config.setMaximumPoolSize(connections);
    return new HikariDataSource(config);
  }

  /** Lets no other transaction read a table before this one ends. */
  private static void hold(Connection connection, String table) throws SQLException {
    connection.setAutoCommit(false);
    try (Statement statement = connection.createStatement()) {
      statement.execute("LOCK TABLE " + table + " IN ACCESS EXCLUSIVE MODE");
    }
  }

  /** How many wait for a lock in this database. */
  private static int waiting(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet count =
            statement.executeQuery(
                "SELECT count(*) FROM pg_locks WHERE NOT granted AND database ="
                    + " (SELECT oid FROM pg_database WHERE datname = current_database())")) {
      count.next();
      return count.getInt(1);
    }
  }

  private static CompletableFuture<HttpResponse<String>> asked(Admin admin, String path) {
    HttpHost http = admin.host().http();
    return http.client()
        .sendAsync(
            http.request("/admin/v1/" + path)
                .header("Authorization", "Bearer " + Admin.TOKEN)
                .build(),
            HttpResponse.BodyHandlers.ofString());
  }

  private static HttpResponse<String> any(List<CompletableFuture<HttpResponse<String>>> reads) {
    await()
        .atMost(Duration.ofSeconds(20))
        .until(() -> reads.stream().anyMatch(CompletableFuture::isDone));
    return reads.stream().filter(CompletableFuture::isDone).findFirst().orElseThrow().join();
  }

  private static String plan(Statement statement, String table, String time) throws SQLException {
    String sql =
        "EXPLAIN SELECT * FROM %1$s WHERE %2$s <= now() AND (%2$s < now() OR id IS NULL)"
            + " ORDER BY %2$s DESC, id DESC LIMIT 50";
    StringBuilder plan = new StringBuilder();
    try (ResultSet lines = statement.executeQuery(sql.formatted(table, time))) {
      while (lines.next()) {
        plan.append(lines.getString(1)).append('\n');
      }
    }
    return plan.toString();
  }
}
