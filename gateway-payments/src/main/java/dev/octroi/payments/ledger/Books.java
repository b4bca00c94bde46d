package dev.octroi.payments.ledger;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the journal, the payers' accounts, the doubts and the stored answers in step with the
 * payments, inside the transaction that moves them.
 */
final class Books {

  /** One line a movement; nothing is ever updated, so that there is no hot row of a seller. */
  private static final String LINE =
      "INSERT INTO journal (at, payment_id, debit, credit, amount) VALUES (?, ?, ?, ?, ?)";

  private static final String CHANGE =
      """
      UPDATE book_account SET reserved = reserved + ?, balance = balance + ?
      WHERE network = ? AND owner = ? AND asset = ? AND kind = 1
      """;

  private static final String OPEN_BALANCE =
      "UPDATE book_account SET balance = ? WHERE id = ? AND balance IS NULL";

  private static final String ACCOUNT_ID =
      "SELECT id FROM book_account WHERE network = ? AND owner = ? AND asset = ? AND kind = ?";

  private static final String DOUBT =
      "INSERT INTO doubt (payment_id, since, reason, tx) VALUES (?, ?, ?, ?)";

  private static final String NO_DOUBT = "DELETE FROM doubt WHERE payment_id = ?";

  private static final String STORE =
      "INSERT INTO stored_answer (payment_id, stored_at, sealed) VALUES (?, ?, ?)";

  private static final String TREASURY = "0x00";

  private final Dialect dialect;

  /** Sellers and treasuries: as many as the configuration names. */
  private final Map<AccountKey, Long> ours = new ConcurrentHashMap<>();

  Books(Dialect dialect) {
    this.dialect = dialect;
  }

  /** Writes what the steps that were done mean for accounts, journal and doubts. */
  void write(Connection connection, List<Step> steps, Map<UUID, Moved> moved, Instant now)
      throws SQLException {
    Changes changes = new Changes();
    try (PreparedStatement line = connection.prepareStatement(LINE)) {
      boolean lines = false;
      for (Step step : steps) {
        Moved payment = moved.get(step.id());
        if (payment == null) {
          continue;
        }
        changes.add(step, payment);
        keepDoubt(connection, step, now);
        if (step.target() == PaymentState.SETTLED && payment.amount() > 0) {
          addLine(connection, line, payment, now);
          lines = true;
        }
      }
      if (lines) {
        line.executeBatch();
      }
    }
    change(connection, changes);
  }

  void storeAnswers(Connection connection, List<MoveWork> storing, Instant now)
      throws SQLException {
    if (storing.isEmpty()) {
      return;
    }
    try (PreparedStatement store = connection.prepareStatement(STORE)) {
      for (MoveWork move : storing) {
        store.setObject(1, move.step().id());
        store.setObject(2, Rows.utc(now));
        store.setBytes(3, move.sealed());
        store.addBatch();
      }
      store.executeBatch();
    }
  }

  /** Adds to what is reserved, for claims that were made. */
  void reserve(Connection connection, Map<AccountKey, Long> amounts) throws SQLException {
    Changes changes = new Changes();
    amounts.forEach((key, amount) -> changes.add(key, amount, 0));
    change(connection, changes);
  }

  /** Gives sandbox money to an account, out of the treasury; opens its balance if it has none. */
  void fund(Connection connection, Account account, long amount, Instant now) throws SQLException {
    if (account.balance().isEmpty()) {
      try (PreparedStatement statement = connection.prepareStatement(OPEN_BALANCE)) {
        statement.setLong(1, amount);
        statement.setLong(2, account.id());
        statement.executeUpdate();
      }
    } else {
      Changes changes = new Changes();
      changes.add(account.key(), 0, amount);
      change(connection, changes);
    }
    try (PreparedStatement line = connection.prepareStatement(LINE)) {
      line.setObject(1, Rows.utc(now));
      line.setObject(2, null);
      line.setLong(3, treasury(connection, account.key()));
      line.setLong(4, account.id());
      line.setLong(5, amount);
      line.executeUpdate();
    }
  }

  private void addLine(Connection connection, PreparedStatement line, Moved payment, Instant now)
      throws SQLException {
    AccountKey payer = payment.payer();
    AccountKey seller = new AccountKey(payer.network(), payment.payTo(), payer.asset());
    line.setObject(1, Rows.utc(now));
    line.setObject(2, payment.id());
    line.setLong(3, require(find(connection, payer, AccountKind.PAYER), payer));
    line.setLong(4, our(connection, seller, AccountKind.SELLER));
    line.setLong(5, payment.amount());
    line.addBatch();
  }

  private long treasury(Connection connection, AccountKey like) throws SQLException {
    return our(
        connection, new AccountKey(like.network(), TREASURY, like.asset()), AccountKind.TREASURY);
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
    // Not remembered yet: this transaction may still be rolled back.
    dialect.addAccounts(connection, List.of(key), kind);
    return require(find(connection, key, kind), key);
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

  private static long require(OptionalLong id, AccountKey key) throws SQLException {
    return id.orElseThrow(() -> new SQLException("no account of " + key.network() + " payer"));
  }

  private static void change(Connection connection, Changes changes) throws SQLException {
    if (changes.isEmpty()) {
      return;
    }
    try (PreparedStatement statement = connection.prepareStatement(CHANGE)) {
      for (Map.Entry<AccountKey, Changes.Change> entry : changes.sorted()) {
        AccountKey key = entry.getKey();
        statement.setLong(1, entry.getValue().reserved());
        statement.setLong(2, entry.getValue().balance());
        statement.setString(3, key.network());
        statement.setBytes(4, KeyBytes.of(key.network(), key.owner()));
        statement.setString(5, key.asset());
        statement.addBatch();
      }
      statement.executeBatch();
    }
  }

  private static void keepDoubt(Connection connection, Step step, Instant now) throws SQLException {
    boolean begins = step.target() == PaymentState.IN_DOUBT;
    if (!begins && step.lastSource() != PaymentState.IN_DOUBT) {
      return;
    }
    try (PreparedStatement statement = connection.prepareStatement(begins ? DOUBT : NO_DOUBT)) {
      statement.setObject(1, step.id());
      if (begins) {
        statement.setObject(2, Rows.utc(now));
        statement.setString(3, orEmpty(step.reason()));
        statement.setString(4, step.transaction());
      }
      statement.executeUpdate();
    }
  }

  private static String orEmpty(@Nullable String text) {
    return text == null ? "" : text;
  }
}
