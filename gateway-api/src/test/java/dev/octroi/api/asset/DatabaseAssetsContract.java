package dev.octroi.api.asset;

import dev.octroi.payments.ledger.AnswerVault;
import dev.octroi.payments.ledger.LedgerSettings;
import dev.octroi.payments.ledger.jdbc.JdbcLedger;
import java.time.Clock;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** The same of the store in the ledger's database. */
abstract class DatabaseAssetsContract extends AssetStoreContract {

  private DatabaseAssets store;
  private JdbcLedger ledger;

  /** A new database with the schema and nothing in it. */
  abstract DataSource database();

  @BeforeEach
  void open() {
    DataSource database = database();
    ledger =
        new JdbcLedger(
            database,
            new AnswerVault(new byte[32]),
            LedgerSettings.of("assets"),
            Clock.systemUTC());
    store = new DatabaseAssets(ledger.statements(), database);
  }

  @AfterEach
  void close() {
    ledger.close();
  }

  @Override
  AssetStore store() {
    return store;
  }
}
