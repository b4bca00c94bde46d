package dev.octroi.reference.process;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The points around claim and settlement, where the database has its part. */
@Tag("slow")
class KilledCallsOnPostgresIT extends KilledCalls {

  private SharedPostgres server;

  @Override
  void openDatabase() {
    server = SharedPostgres.start();
  }

  @Override
  void closeDatabase() throws IOException {
    if (server != null) {
      server.close();
    }
  }

  @Override
  BuiltJar on(Path folder, BuiltJar jar) {
    return server.under(jar);
  }

  @Override
  LedgerTables tables(Path folder) throws Exception {
    return server.tables();
  }

  @ParameterizedTest
  @EnumSource(
      names = {
        "CLAIM_WRITTEN_NOT_COMMITTED",
        "CLAIM_COMMITTED",
        "SETTLEMENT_WRITTEN_NOT_COMMITTED",
        "SETTLEMENT_COMMITTED_NO_CALL_TOLD",
        "BEFORE_THE_ANSWER_LEFT"
      })
  @Tag("spec:money.3")
  @Tag("spec:money.5")
  @Tag("spec:money.durable")
  void aQueryKilledAroundAClaimOrASettlementIsUnchargedOrStillToBeHad(KillPoint point)
      throws Exception {
    killQueryAt(point);
  }
}
