package dev.octroi.api;

import dev.octroi.db.PostgresServer;
import javax.sql.DataSource;

class WebhooksOnPostgresTest extends WebhooksContract {

  @Override
  DataSource emptyDatabase() {
    return PostgresServer.require().emptyDatabase();
  }
}
