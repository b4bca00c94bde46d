package dev.octroi.api;

import javax.sql.DataSource;

class LeaseOnPostgresTest extends LeaseContract {

  @Override
  DataSource emptyDatabase() {
    return PostgresServer.emptyDatabase();
  }
}
