package dev.octroi.api.voice;

import dev.octroi.db.PostgresServer;
import javax.sql.DataSource;

class CallsOnPostgresTest extends CallsContract {

  @Override
  DataSource database() {
    return PostgresServer.require().emptyDatabase();
  }
}
