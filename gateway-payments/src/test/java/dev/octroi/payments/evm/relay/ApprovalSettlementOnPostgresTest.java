package dev.octroi.payments.evm.relay;

import dev.octroi.db.PostgresServer;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeAll;

class ApprovalSettlementOnPostgresTest extends ApprovalSettlementContract {

  @BeforeAll
  static void startServer() {
    PostgresServer.require();
  }

  @Override
  DataSource emptyDatabase() {
    return PostgresServer.require().emptyDatabase();
  }
}
