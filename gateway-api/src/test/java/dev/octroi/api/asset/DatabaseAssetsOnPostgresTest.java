package dev.octroi.api.asset;

import dev.octroi.api.PostgresServer;
import javax.sql.DataSource;

class DatabaseAssetsOnPostgresTest extends DatabaseAssetsContract {

  @Override
  DataSource database() {
    return PostgresServer.emptyDatabase();
  }
}
