package dev.octroi.payments.ledger.jdbc;

import dev.octroi.payments.facilitator.PaymentKey;
import dev.octroi.payments.ledger.AccountKind;
import dev.octroi.payments.ledger.SandboxBank;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;

/** Sandbox money on the ledger's writer threads. */
record JdbcSandboxBank(
    Statements statements, Dialect dialect, Books books, long startingBalance, Clock clock)
    implements SandboxBank {

  @Override
  public long balance(String network, String payer, String asset) {
    AccountKey key = account(network, payer, asset);
    return statements.run(
        handle ->
            dialect
                .lock(handle.getConnection(), key)
                .flatMap(account -> account.balance().stream().boxed().findFirst())
                .orElse(startingBalance));
  }

  @Override
  public void fund(String network, String payer, String asset, long amount) {
    if (amount <= 0) {
      throw new IllegalArgumentException("an account is given more than nothing");
    }
    AccountKey key = account(network, payer, asset);
    Instant now = clock.instant().truncatedTo(ChronoUnit.MICROS);
    statements.run((handle, again) -> fund(handle.getConnection(), key, amount, now, again));
  }

  private long fund(Connection connection, AccountKey key, long amount, Instant now, boolean again)
      throws SQLException {
    if (dialect.lock(connection, key).isEmpty()) {
      dialect.addAccounts(connection, List.of(key), AccountKind.PAYER);
    }
    Account account =
        dialect
            .lock(connection, key)
            .orElseThrow(() -> new SQLException("a payer's account is missing"));
    if (again && Journal.moved(connection, null, account, now).isPresent()) {
      return amount;
    }
    long credited = account.balance().isPresent() ? amount : Math.addExact(startingBalance, amount);
    Changes changes = new Changes();
    books.fund(connection, account, credited, changes);
    books.change(connection, changes, now);
    return credited;
  }

  private static AccountKey account(String network, String payer, String asset) {
    return new AccountKey(network, PaymentKey.spelling(payer), asset);
  }
}
