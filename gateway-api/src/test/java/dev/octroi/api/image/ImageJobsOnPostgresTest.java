package dev.octroi.api.image;

import dev.octroi.db.PostgresServer;
import javax.sql.DataSource;

class ImageJobsOnPostgresTest extends ImageJobsContract {

  @Override
  DataSource database() {
    return PostgresServer.require().emptyDatabase();
  }
}
