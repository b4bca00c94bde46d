package dev.octroi.api;

import dev.octroi.db.PostgresServer;
import javax.sql.DataSource;
import org.junit.jupiter.api.Tag;

@Tag("slow")
class MarginOnPostgresTest extends MarginContract {

  @Override
  DataSource emptyDatabase() {
    return PostgresServer.require().emptyDatabase();
  }
}
