package dev.octroi.api.voice;

import dev.octroi.api.PostgresServer;
import javax.sql.DataSource;

class CallsOnPostgresTest extends CallsContract {

  @Override
  DataSource database() {
    return PostgresServer.emptyDatabase();
  }
}
