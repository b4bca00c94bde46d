package dev.octroi.api.change;

import dev.octroi.db.PostgresServer;
import javax.sql.DataSource;

class ChangeStoreOnPostgresTest extends ChangeStoreContract {

  @Override
  DataSource emptyDatabase() {
    return PostgresServer.require().emptyDatabase();
  }
}
