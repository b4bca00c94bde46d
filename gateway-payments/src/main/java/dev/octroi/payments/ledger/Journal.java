package dev.octroi.payments.ledger;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The double-entry journal: one line a movement, never changed, so that no seller's balance is a
 * hot row.
 */
final class Journal {

  private static final String LINE =
      "INSERT INTO journal (at, payment_id, debit, credit, amount) VALUES (?, ?, ?, ?, ?)";

  private static final String ACCOUNT_ID =
      "SELECT id FROM book_account WHERE network = ? AND owner = ? AND asset = ? AND kind = ?";

  /** The treasury has no address; it stands under one that no key can sign for. */
  private static final String TREASURY = "0x00";

  private final Dialect dialect;

  /** Sellers and treasuries: as many as the configuration names. */
  private final Map<AccountKey, Long> ours = new ConcurrentHashMap<>();

  Journal(Dialect dialect) {
    this.dialect = dialect;
  }

  /**
   * Writes a line for each payment that was settled: debit the payer, credit the seller.
   *
   * @param payers the locked accounts of the payers
   */
  void settle(
      Connection connection,
      Collection<Moved> settled,
      Map<AccountKey, Account> payers,
      Instant now)
      throws SQLException {
    if (settled.isEmpty()) {
      return;
    }
    try (PreparedStatement line = connection.prepareStatement(LINE)) {
      for (Moved payment : settled) {
        AccountKey key = payment.payer();
        Account payer = payers.get(key);
        if (payer == null) {
          throw new SQLException("a settled payment's payer has no account");
        }
        AccountKey seller = new AccountKey(key.network(), payment.payTo(), key.asset());
        line.setObject(1, Rows.utc(now));
        line.setObject(2, payment.id());
        line.setLong(3, payer.id());
        line.setLong(4, our(connection, seller, AccountKind.SELLER));
        line.setLong(5, payment.amount());
        line.addBatch();
      }
      line.executeBatch();
    }
  }

  /** Sandbox money that is given out: debit the treasury, credit the payer. */
  void fund(Connection connection, Account payer, long amount, Instant now) throws SQLException {
    AccountKey treasury = new AccountKey(payer.key().network(), TREASURY, payer.key().asset());
    try (PreparedStatement line = connection.prepareStatement(LINE)) {
      line.setObject(1, Rows.utc(now));
      line.setObject(2, null);
      line.setLong(3, our(connection, treasury, AccountKind.TREASURY));
      line.setLong(4, payer.id());
      line.setLong(5, amount);
      line.executeUpdate();
    }
  }

  private long our(Connection connection, AccountKey key, AccountKind kind) throws SQLException {
    Long known = ours.get(key);
    if (known != null) {
      return known;
    }
    OptionalLong found = find(connection, key, kind);
    if (found.isPresent()) {
      ours.put(key, found.getAsLong());
      return found.getAsLong();
    }
    // Not remembered before it is read again: this transaction may still be rolled back.
    dialect.addAccounts(connection, List.of(key), kind);
    return find(connection, key, kind)
        .orElseThrow(() -> new SQLException("an account of ours is missing"));
  }

  private static OptionalLong find(Connection connection, AccountKey key, AccountKind kind)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(ACCOUNT_ID)) {
      statement.setString(1, key.network());
      statement.setBytes(2, KeyBytes.of(key.network(), key.owner()));
      statement.setString(3, key.asset());
      statement.setInt(4, kind.code());
      try (ResultSet rows = statement.executeQuery()) {
        return rows.next() ? OptionalLong.of(rows.getLong(1)) : OptionalLong.empty();
      }
    }
  }
}
