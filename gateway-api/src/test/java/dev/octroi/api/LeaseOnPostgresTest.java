package dev.octroi.api;

import dev.octroi.db.PostgresServer;
import javax.sql.DataSource;

class LeaseOnPostgresTest extends LeaseContract {

  @Override
  DataSource emptyDatabase() {
    return PostgresServer.require().emptyDatabase();
  }
}
