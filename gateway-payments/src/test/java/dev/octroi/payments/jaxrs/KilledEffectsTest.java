package dev.octroi.payments.jaxrs;

import dev.octroi.db.PostgresServer;
import java.nio.file.Path;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;

class KilledEffectsTest {

  @Nested
  class OnH2 extends KilledEffectsContract {
    @Override
    String url(Path folder) {
      return "jdbc:h2:async:" + folder.resolve("host") + ";WRITE_DELAY=0";
    }
  }

  @Nested
  @Tag("slow")
  class OnPostgres extends KilledEffectsContract {
    @Override
    String url(Path folder) {
      return PostgresServer.require().emptyDatabaseUrl();
    }
  }
}
