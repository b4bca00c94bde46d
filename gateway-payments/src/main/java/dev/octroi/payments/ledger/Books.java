package dev.octroi.payments.ledger;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;

/**
 * Keeps accounts, journal, doubts and stored answers in step with the payments, inside the
 * transaction that moves them.
 */
final class Books {

  private static final String CHANGE =
      """
      UPDATE book_account SET reserved = reserved + ?, balance = balance + ?
      WHERE network = ? AND owner = ? AND asset = ? AND kind = 1
      """;

  private static final String OPEN_BALANCE =
      "UPDATE book_account SET balance = ? WHERE id = ? AND balance IS NULL";

  private static final String STORE =
      "INSERT INTO stored_answer (payment_id, stored_at, sealed, size) VALUES (?, ?, ?, ?)";

  private static final String KEEP = "UPDATE stored_answer SET stored_at = ? WHERE payment_id = ?";

  private static final String FORGET = "DELETE FROM stored_answer WHERE payment_id = ?";

  private final Journal journal;
  private final KeyBooks keys;

  Books(Journal journal, KeyBooks keys) {
    this.journal = journal;
    this.keys = keys;
  }

  /**
   * Writes what the steps that were done mean.
   *
   * @param payers the locked accounts of all payers whose money moves
   */
  void write(
      Connection connection,
      List<Step> steps,
      Map<UUID, Moved> moved,
      Map<AccountKey, Account> payers,
      Instant now)
      throws SQLException {
    Changes changes = new Changes();
    List<Step> done = new ArrayList<>();
    List<Moved> settled = new ArrayList<>();
    List<Moved> owed = new ArrayList<>();
    for (Step step : steps) {
      Moved payment = moved.get(step.id());
      if (payment != null) {
        done.add(step);
        changes.add(step, payment);
        if (step.target() == PaymentState.SETTLED) {
          (step.purse() == Purse.ON_ACCOUNT ? owed : settled).add(payment);
        }
      }
    }
    Doubts.write(connection, done, now);
    journal.settle(connection, settled, payers, now);
    journal.owe(connection, owed, now);
    OwedRows.note(connection, owed, now);
    writeLosses(connection, done, moved, payers, now);
    keepAnswers(connection, done, now);
    forgetAnswers(connection, done);
    change(connection, changes);
    keys.write(connection, done, moved);
  }

  /** What was sent and failed was given for nothing; proof of payment takes that back. */
  private void writeLosses(
      Connection connection,
      List<Step> done,
      Map<UUID, Moved> moved,
      Map<AccountKey, Account> payers,
      Instant now)
      throws SQLException {
    for (Step step : done) {
      Moved payment = moved.get(step.id());
      if (payment == null || !payment.sent()) {
        continue;
      }
      if (step.target() == PaymentState.FAILED) {
        journal.lose(connection, payment, payers, now);
      } else if (step.firstSource() == PaymentState.FAILED) {
        journal.regain(connection, payment, payers, now);
      }
    }
  }

  /** What was about to be charged and never sent is asked for anew with the next attempt. */
  private static void forgetAnswers(Connection connection, List<Step> done) throws SQLException {
    List<Step> unsent = done.stream().filter(Step::isUnsent).toList();
    if (unsent.isEmpty()) {
      return;
    }
    try (PreparedStatement forget = connection.prepareStatement(FORGET)) {
      for (Step step : unsent) {
        forget.setObject(1, step.id());
        forget.addBatch();
      }
      forget.executeBatch();
    }
  }

  /** From when it is known to be paid for, an answer can be had again for its whole time. */
  private static void keepAnswers(Connection connection, List<Step> done, Instant now)
      throws SQLException {
    List<Step> late =
        done.stream()
            .filter(step -> step.isLate() && step.target() == PaymentState.SETTLED)
            .toList();
    if (late.isEmpty()) {
      return;
    }
    try (PreparedStatement keep = connection.prepareStatement(KEEP)) {
      for (Step step : late) {
        keep.setObject(1, Rows.utc(now));
        keep.setObject(2, step.id());
        keep.addBatch();
      }
      keep.executeBatch();
    }
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
        store.setInt(4, Objects.requireNonNull(move.sealed()).length);
        store.addBatch();
      }
      store.executeBatch();
    }
  }

  /** Adds to what is reserved and to what keys have spent, for claims that were made. */
  void reserve(Connection connection, Reservations made) throws SQLException {
    Changes changes = new Changes();
    made.accounts().forEach((key, amount) -> changes.add(key, amount, 0));
    change(connection, changes);
    keys.reserve(connection, made.budgets());
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
    journal.fund(connection, account, amount, now);
  }

  /** Gives back what a payment brought: sandbox money at once, any other was sent before. */
  void refund(
      Connection connection, UUID payment, Account payer, String seller, long amount, Instant now)
      throws SQLException {
    if (payer.balance().isPresent()) {
      Changes changes = new Changes();
      changes.add(payer.key(), 0, amount);
      change(connection, changes);
    }
    journal.refund(connection, payment, payer, seller, amount, now);
  }

  /** What is owed is set aside no longer: a transfer has reserved it. */
  void takeOver(Connection connection, AccountKey payer, long amount) throws SQLException {
    Changes changes = new Changes();
    changes.add(payer, -amount, 0);
    change(connection, changes);
  }

  /** A transfer has paid for what was owed. */
  void net(
      Connection connection,
      UUID transfer,
      AccountKey payer,
      String payTo,
      long amount,
      Instant now)
      throws SQLException {
    journal.net(connection, transfer, payer, payTo, amount, now);
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
}
