package dev.octroi.payments.ledger.jdbc;

import dev.octroi.payments.facilitator.ChannelUse;
import dev.octroi.payments.ledger.KeyBytes;
import dev.octroi.payments.ledger.PaymentState;
import dev.octroi.payments.ledger.jdbc.ChannelRows.Ended;
import dev.octroi.payments.ledger.jdbc.KeyBooks.Budget;
import dev.octroi.payments.ledger.jdbc.Transition.AppliedTransition;
import dev.octroi.payments.ledger.jdbc.Transition.SettlementMode;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.stream.Stream;

/**
 * Keeps accounts, journal, doubts and stored answers in step with the payments, inside the
 * transaction that moves them.
 */
final class Books {

  private static final String OPEN_BALANCE =
      "UPDATE book_account SET balance = ? WHERE id = ? AND balance IS NULL";

  private static final String STORE =
      "INSERT INTO stored_answer (payment_id, stored_at, sealed, size, reader) VALUES (?, ?, ?, ?, ?)";

  private static final String KEEP = "UPDATE stored_answer SET stored_at = ? WHERE payment_id = ?";

  private static final String NETS = "SELECT 1 FROM netting WHERE id = ?";

  /** A loss is booked after its transfer was begun, but for what clocks of nodes differ. */
  private static final String LOST =
      """
      SELECT 1 FROM journal j JOIN book_account a ON a.id = j.debit
      WHERE j.payment_id = ? AND a.kind = 'LOSS'
        AND j.at > (SELECT begun_at FROM netting WHERE id = j.payment_id) - INTERVAL '1' HOUR
      """;

  private static final String FORGET = "DELETE FROM stored_answer WHERE payment_id = ?";

  private static final String NOTE_OWED =
      """
      INSERT INTO owed (payment_id, key_id, network, payer, asset, pay_to, amount, since)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?)
      """;

  private static final String BEGIN_DOUBT =
      "INSERT INTO doubt (payment_id, since, reason, tx) VALUES (?, ?, ?, ?)";

  private static final String END_DOUBT = "DELETE FROM doubt WHERE payment_id = ?";

  private final Dialect dialect;
  private final Journal journal;
  private final KeyBooks keys;

  Books(Dialect dialect) {
    this.dialect = dialect;
    this.journal = new Journal(dialect);
    this.keys = new KeyBooks(dialect);
  }

  /**
   * Writes what the steps that were done mean.
   *
   * @param locked the accounts of all payers whose money moves, and their channels
   * @param changes takes what changes in them, and the journal's lines, to be written by {@link
   *     #change}
   */
  void write(
      Connection connection,
      List<Transition> transitions,
      Map<UUID, AppliedTransition> applied,
      Locks.Locked locked,
      Changes changes,
      Instant now)
      throws SQLException {
    Map<AccountKey, Account> payers = locked.accounts();
    List<Transition> done = new ArrayList<>();
    List<AppliedTransition> settled = new ArrayList<>();
    List<AppliedTransition> owed = new ArrayList<>();
    List<AppliedTransition> promised = new ArrayList<>();
    for (Transition transition : transitions) {
      AppliedTransition payment = applied.get(transition.id());
      if (payment != null) {
        done.add(transition);
        changes.add(transition, payment);
        if (transition.target() == PaymentState.SETTLED) {
          if (transition.mode() == SettlementMode.ON_ACCOUNT) {
            owed.add(payment);
          } else {
            (isPromised(transition, payment) ? promised : settled).add(payment);
          }
        }
      }
    }
    noteDoubts(connection, done, now);
    journal.settle(connection, settled, payers, changes);
    journal.owe(connection, Stream.concat(owed.stream(), promised.stream()).toList(), changes);
    noteOwed(connection, owed, now);
    writeLosses(connection, done, applied, payers, changes);
    freeChannels(connection, done, applied, locked, changes, now);
    keepAnswers(connection, done, now);
    forgetAnswers(connection, done);
    keys.write(connection, done, applied);
  }

  /** Whether a voucher promises what was charged: the channel owes it until it is claimed. */
  private static boolean isPromised(Transition transition, AppliedTransition payment) {
    return transition.mode() != SettlementMode.HERE && isOfChannel(payment);
  }

  private static boolean isOfChannel(AppliedTransition payment) {
    return ChannelUse.isChannel(payment.payer().network(), payment.payer().owner());
  }

  private void freeChannels(
      Connection connection,
      List<Transition> done,
      Map<UUID, AppliedTransition> applied,
      Locks.Locked locked,
      Changes changes,
      Instant now)
      throws SQLException {
    List<Ended> ended = new ArrayList<>();
    for (Transition transition : done) {
      AppliedTransition payment = applied.get(transition.id());
      if (payment != null && transition.target().isClosed() && isOfChannel(payment)) {
        ended.add(new Ended(transition, payment));
      }
    }
    if (ended.isEmpty()) {
      return;
    }
    Map<Ended, ChannelRows.Row> deposits =
        ChannelRows.end(connection, locked.channels(), ended, now);
    for (Map.Entry<Ended, ChannelRows.Row> brought : deposits.entrySet()) {
      AppliedTransition payment = brought.getKey().payment();
      ChannelRows.Row row = brought.getValue();
      boolean charged = brought.getKey().isCharged();
      // Where a chain holds the money the accounts have no balance that could change.
      changes.add(row.payer(), -row.deposit(), charged ? -row.deposit() : 0);
      if (charged) {
        changes.add(payment.payer(), 0, row.deposit());
        Journal.move(
            payment.id(), locked.accounts(), row.payer(), payment.payer(), row.deposit(), changes);
        ChannelRows.take(connection, brought.getKey(), row, now);
      }
    }
  }

  /**
   * What was sent and failed was given for nothing; proof of payment takes that back. Nothing is
   * given for a transfer that nets calls: they are owed again. Former versions booked a loss for it
   * all the same.
   */
  private void writeLosses(
      Connection connection,
      List<Transition> done,
      Map<UUID, AppliedTransition> applied,
      Map<AccountKey, Account> payers,
      Changes changes)
      throws SQLException {
    for (Transition transition : done) {
      AppliedTransition payment = applied.get(transition.id());
      boolean isLost = transition.target() == PaymentState.FAILED;
      boolean isRegained = transition.firstSource() == PaymentState.FAILED;
      if (payment == null || !payment.sent() || !(isLost || isRegained)) {
        continue;
      }
      boolean isTransfer = finds(connection, NETS, payment);
      if (isLost && !isTransfer) {
        journal.lose(connection, payment, payers, changes);
      } else if (isRegained && (!isTransfer || finds(connection, LOST, payment))) {
        journal.regain(connection, payment, payers, changes);
      }
    }
  }

  private static boolean finds(Connection connection, String query, AppliedTransition payment)
      throws SQLException {
    return Rows.exists(connection, query, statement -> statement.setObject(1, payment.id()));
  }

  /** What was about to be charged and never sent is asked for anew with the next attempt. */
  private static void forgetAnswers(Connection connection, List<Transition> done)
      throws SQLException {
    List<Transition> unsent = done.stream().filter(Transition::isUnsent).toList();
    Rows.batch(connection, FORGET, unsent, Books::bindId);
  }

  private static void bindId(PreparedStatement statement, Transition transition)
      throws SQLException {
    statement.setObject(1, transition.id());
  }

  /** From when it is known to be paid for, an answer can be had again for its whole time. */
  private static void keepAnswers(Connection connection, List<Transition> done, Instant now)
      throws SQLException {
    List<Transition> late =
        done.stream()
            .filter(
                transition -> transition.isLate() && transition.target() == PaymentState.SETTLED)
            .toList();
    Rows.batch(
        connection,
        KEEP,
        late,
        (keep, transition) -> {
          keep.setObject(1, Rows.utc(now));
          keep.setObject(2, transition.id());
        });
  }

  void storeAnswers(Connection connection, List<TransitionWork> storing, Instant now)
      throws SQLException {
    Rows.batch(
        connection,
        STORE,
        storing,
        (store, move) -> {
          store.setObject(1, move.transition().id());
          store.setObject(2, Rows.utc(now));
          store.setBytes(3, move.sealed());
          store.setInt(4, Objects.requireNonNull(move.sealed()).length);
          store.setBytes(5, move.reader());
        });
  }

  /** Writes what claims have taken from the budgets of keys. */
  void reserve(Connection connection, Collection<Budget> taken) throws SQLException {
    keys.reserve(connection, taken);
  }

  /**
   * Gives sandbox money to an account, out of the treasury; opens its balance if it has none.
   *
   * @param changes takes it, to be written by {@link #change}
   */
  void fund(Connection connection, Account account, long amount, Changes changes)
      throws SQLException {
    if (account.balance().isEmpty()) {
      open(connection, account, amount);
    } else {
      changes.add(account.key(), 0, amount);
    }
    journal.fund(connection, account, amount, changes);
  }

  /** Opens the balance of an account that has none. */
  static void open(Connection connection, Account account, long amount) throws SQLException {
    Rows.update(
        connection,
        OPEN_BALANCE,
        statement -> {
          statement.setLong(1, amount);
          statement.setLong(2, account.id());
        });
  }

  /**
   * Moves sandbox money between a channel and its payer, both of which are locked.
   *
   * @param line by what the line in the journal is found
   */
  void move(
      Connection connection,
      UUID line,
      Map<AccountKey, Account> accounts,
      AccountKey from,
      AccountKey to,
      long amount,
      Instant now)
      throws SQLException {
    Changes changes = new Changes();
    changes.add(from, 0, -amount);
    changes.add(to, 0, amount);
    Journal.move(line, accounts, from, to, amount, changes);
    change(connection, changes, now);
  }

  /** Gives back what a payment brought: sandbox money at once, any other was sent before. */
  void refund(
      Connection connection, UUID payment, Account payer, String seller, long amount, Instant now)
      throws SQLException {
    Changes changes = new Changes();
    if (payer.balance().isPresent()) {
      changes.add(payer.key(), 0, amount);
    }
    journal.refund(connection, payment, payer, seller, amount, changes);
    change(connection, changes, now);
  }

  /** What is owed is set aside no longer: a transfer has reserved it. */
  void takeOver(Connection connection, AccountKey payer, long amount, Instant now)
      throws SQLException {
    Changes changes = new Changes();
    changes.add(payer, -amount, 0);
    change(connection, changes, now);
  }

  /** What a channel promised was claimed: it leaves the channel, and is owed no longer. */
  void claim(Connection connection, Account channel, long amount, Instant now) throws SQLException {
    Changes changes = new Changes();
    journal.claim(connection, channel, amount, changes);
    change(connection, changes, now);
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
    Changes changes = new Changes();
    journal.net(connection, transfer, payer, payTo, amount, changes);
    change(connection, changes, now);
  }

  /** Writes what changes. */
  void change(Connection connection, Changes changes, Instant now) throws SQLException {
    change(connection, changes, List.of(), now);
  }

  /**
   * The same.
   *
   * @param arrived calls whose answers have left, which is noted along with it
   */
  void change(Connection connection, Changes changes, List<Deliveries.Note> arrived, Instant now)
      throws SQLException {
    dialect.write(connection, changes, arrived, now);
  }

  /** Remembers whose accounts a transaction has found, which has committed. */
  void remember(Changes committed) {
    journal.remember(committed);
  }

  /** Notes what payers owe, inside the transaction that settles their calls on account. */
  private static void noteOwed(
      Connection connection, Collection<AppliedTransition> owed, Instant now) throws SQLException {
    Rows.batch(
        connection,
        NOTE_OWED,
        owed,
        (note, payment) -> {
          AccountKey payer = payment.payer();
          note.setObject(1, payment.id());
          note.setObject(2, payment.key());
          note.setString(3, payer.network());
          note.setBytes(4, KeyBytes.of(payer.network(), payer.owner()));
          note.setString(5, payer.asset());
          note.setString(6, payment.payTo());
          note.setLong(7, payment.charged());
          note.setObject(8, Rows.utc(now));
        });
  }

  /**
   * Notes what the steps that were done begin and end in the list of payments whose end is not
   * known yet, which stands in place of an index on their state.
   */
  private static void noteDoubts(Connection connection, List<Transition> done, Instant now)
      throws SQLException {
    List<Transition> ended = done.stream().filter(Transition::mayEndDoubt).toList();
    Rows.batch(connection, END_DOUBT, ended, Books::bindId);
    List<Transition> begun =
        done.stream()
            .filter(
                transition ->
                    transition.target() == PaymentState.IN_DOUBT || transition.isSending())
            .toList();
    Rows.batch(
        connection,
        BEGIN_DOUBT,
        begun,
        (statement, transition) -> {
          statement.setObject(1, transition.id());
          statement.setObject(2, Rows.utc(now));
          statement.setString(3, Objects.requireNonNullElse(transition.why().reason(), ""));
          statement.setString(4, transition.transaction());
        });
  }
}
