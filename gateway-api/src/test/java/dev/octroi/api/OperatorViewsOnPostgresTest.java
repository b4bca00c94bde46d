package dev.octroi.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.octroi.db.PostgresServer;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

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
