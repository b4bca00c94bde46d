package dev.octroi.api.observe;

import dev.octroi.db.PostgresServer;
import javax.sql.DataSource;

class OutcomeSumsOnPostgresTest extends OutcomeSumsContract {

  @Override
  DataSource database() {
    return PostgresServer.require().emptyDatabase();
  }
}
