package dev.octroi.api.asset;

import dev.octroi.db.PostgresServer;
import javax.sql.DataSource;

class DatabaseAssetsOnPostgresTest extends DatabaseAssetsContract {

  @Override
  DataSource database() {
    return PostgresServer.require().emptyDatabase();
  }
}
