package dev.octroi.api.image;

import dev.octroi.api.PostgresServer;
import javax.sql.DataSource;

class ImageJobsOnPostgresTest extends ImageJobsContract {

  @Override
  DataSource database() {
    return PostgresServer.emptyDatabase();
  }
}
