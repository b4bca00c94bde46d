package dev.octroi.api;

import javax.sql.DataSource;

class OperatorViewsOnPostgresTest extends OperatorViewsContract {

  @Override
  DataSource emptyDatabase() {
    return PostgresServer.emptyDatabase();
  }
}
