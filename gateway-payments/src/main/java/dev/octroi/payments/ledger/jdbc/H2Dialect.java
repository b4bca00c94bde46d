package dev.octroi.payments.ledger.jdbc;

import dev.octroi.payments.facilitator.PaymentKey;
import dev.octroi.payments.ledger.AccountKind;
import dev.octroi.payments.ledger.Claim;
import dev.octroi.payments.ledger.ClaimRequest;
import dev.octroi.payments.ledger.ClaimRequest.RequestBinding;
import dev.octroi.payments.ledger.KeyBytes;
import dev.octroi.payments.ledger.Owner;
import dev.octroi.payments.ledger.PaymentState;
import dev.octroi.payments.ledger.jdbc.JournalClosing.JournalStorage;
import dev.octroi.payments.ledger.jdbc.KeyBooks.Budget;
import dev.octroi.payments.ledger.jdbc.Locks.Payer;
import dev.octroi.payments.ledger.jdbc.Outbox.OutboxEvent;
import dev.octroi.payments.ledger.jdbc.Transition.AppliedTransition;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * H2 runs in this process, so that a batch is a loop: what it shares is the commit, which is what
 * costs.
 */
final class H2Dialect implements Dialect {

  private static final String ADD_ACCOUNT =
      """
      MERGE INTO book_account a
      USING (VALUES (CAST(? AS VARCHAR), CAST(? AS VARCHAR), CAST(? AS VARBINARY), CAST(? AS VARCHAR)))
        AS n(kind, network, owner, asset)
      ON a.network = n.network AND a.owner = n.owner AND a.asset = n.asset AND a.kind = n.kind
      WHEN NOT MATCHED THEN INSERT (kind, network, owner, asset)
        VALUES (n.kind, n.network, n.owner, n.asset)
      """;

  private static final String ACCOUNT_ID =
      "SELECT id FROM book_account WHERE network = ? AND owner = ? AND asset = ? AND kind = ?";

  private static final String LOCK_PAYER =
      """
      SELECT id, network, owner, asset, reserved, balance FROM book_account
      WHERE network = ? AND owner = ? AND kind = 'PAYER' ORDER BY id FOR UPDATE
      """;

  private static final String LOCK_BUDGET = "SELECT * FROM key_budget WHERE key_id = ? FOR UPDATE";

  private static final String ADD_USAGE =
      """
      MERGE INTO key_usage u
      USING (VALUES (CAST(? AS UUID), CAST(? AS DATE), CAST(? AS VARCHAR), CAST(? AS BIGINT), CAST(? AS BIGINT)))
        AS n(key_id, on_day, scope, calls, spend)
      ON u.key_id = n.key_id AND u.on_day = n.on_day AND u.scope = n.scope
      WHEN MATCHED THEN UPDATE SET calls = u.calls + n.calls, spend = u.spend + n.spend
      WHEN NOT MATCHED THEN INSERT (key_id, on_day, scope, calls, spend)
        VALUES (n.key_id, n.on_day, n.scope, n.calls, n.spend)
      """;

  /**
   * Two statements instead of one MERGE: the update takes a released payment, the insert a new one.
   * A key that another transaction inserts in between violates the unique constraint, upon which
   * the batch is run again singly and finds it.
   */
  private static final String RECLAIM =
      """
      SELECT id, attempt, network, payer, nonce, amount FROM FINAL TABLE (
        UPDATE payment SET state = 'CLAIMED', attempt = attempt + 1, node = ?, epoch = ?, method = ?, path = ?,
          query = ?, body_hash = ?, envelope_hash = ?, amount = ?, asset = ?, pay_to = ?,
          valid_before = ?, claimed_at = ?, redelivery = ?, key_id = ?, scope = ?, request_id = ?,
          charged = NULL, settling_at = NULL, closed_at = NULL, reason = NULL, answer_status = NULL,
          upstream = NULL
        WHERE network = ? AND payer = ? AND nonce = ? AND state = 'RELEASED')
      """;

  private static final String INSERT =
      """
      INSERT INTO payment (node, epoch, method, path, query, body_hash, envelope_hash, amount, asset,
        pay_to, valid_before, claimed_at, redelivery, key_id, scope, request_id, network, payer, nonce, id,
        state, attempt)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'CLAIMED', 1)
      """;

  private static final String CHANNEL = ChannelRows.FIND + "WHERE c.network = ? AND c.id = ?";

  private static final String FIND =
      "SELECT * FROM payment WHERE network = ? AND payer = ? AND nonce = ?";

  private static final String MOVE =
      """
      SELECT id, network, payer, asset, pay_to, amount, coalesce(charged, amount) AS charged, sent, key_id,
        scope, claimed_at
      FROM FINAL TABLE (
        UPDATE payment SET state = ?, tx = coalesce(?, tx), reason = coalesce(?, reason),
          settled_at = coalesce(?, settled_at), settling_at = coalesce(?, settling_at),
          closed_at = coalesce(?, closed_at), charged = coalesce(CAST(? AS BIGINT), charged),
          sent = sent OR ?, rerunning = coalesce(CAST(? AS BOOLEAN), rerunning),
          answer_status = coalesce(CAST(? AS SMALLINT), answer_status), upstream = coalesce(?, upstream)
        WHERE id = ? AND attempt = ? AND node = ? AND epoch = ? AND state IN (?, ?)
          AND NOT (sent AND ?))
      """;

  private static final String DOUBT = "SELECT 1 FROM doubt WHERE payment_id = ?";

  private static final String DELIVER =
      """
      UPDATE payment SET delivered = TRUE, delivered_at = ?, rerunning = FALSE
      WHERE id = ? AND attempt = ? AND node = ? AND epoch = ? AND state IN ('SETTLING', 'SETTLED')
      """;

  private static final String CHANGE =
      """
      UPDATE book_account SET reserved = reserved + ?, balance = balance + ?
      WHERE network = ? AND owner = ? AND asset = ? AND kind = 'PAYER'
      """;

  private static final String LINE =
      "INSERT INTO journal (at, payment_id, debit, credit, amount) VALUES (?, ?, ?, ?, ?)";

  private final Outbox outbox;
  private final Map<PaymentState, String> told;

  H2Dialect(Outbox outbox) {
    this.outbox = outbox;
    this.told = outbox.ofPayments();
  }

  @Override
  public int writers() {
    return 1;
  }

  @Override
  public void addAccounts(Connection connection, Collection<AccountKey> keys, AccountKind kind)
      throws SQLException {
    Rows.batch(
        connection,
        ADD_ACCOUNT,
        keys,
        (statement, key) -> {
          statement.setString(1, kind.name());
          statement.setString(2, key.network());
          statement.setBytes(3, KeyBytes.of(key.network(), key.owner()));
          statement.setString(4, key.asset());
        });
  }

  @Override
  public Map<AccountKey, Long> accountIds(
      Connection connection, Collection<AccountKey> keys, AccountKind kind) throws SQLException {
    Map<AccountKey, Long> ids = new HashMap<>();
    try (PreparedStatement statement = connection.prepareStatement(ACCOUNT_ID)) {
      for (AccountKey key : keys) {
        statement.setString(1, key.network());
        statement.setBytes(2, KeyBytes.of(key.network(), key.owner()));
        statement.setString(3, key.asset());
        statement.setString(4, kind.name());
        try (ResultSet rows = statement.executeQuery()) {
          if (rows.next()) {
            ids.put(key, rows.getLong(1));
          }
        }
      }
    }
    return ids;
  }

  /** There is one writer, so that no other transaction opens an account. */
  @Override
  public void takeTurns(Connection connection, SortedSet<Payer> payers) {}

  /** H2 has no shared row lock; its file has one process, whose sweeps know their own epoch. */
  @Override
  public List<Account> lockPayers(
      Connection connection, Collection<Payer> payers, @Nullable Owner claiming)
      throws SQLException {
    if (claiming != null && !Membership.lives(connection, claiming)) {
      throw Membership.expired();
    }
    return ofOwners(connection, LOCK_PAYER, payers, Rows::account);
  }

  @Override
  public List<ChannelRows.Row> channels(Connection connection, Collection<Payer> channels)
      throws SQLException {
    return ofOwners(connection, CHANNEL, channels, ChannelRows::row);
  }

  private static <R> List<R> ofOwners(
      Connection connection, String sql, Collection<Payer> owners, Rows.Reader<R> reader)
      throws SQLException {
    return each(
        connection,
        sql,
        owners.stream().sorted(Payer.LOCK_ORDER).toList(),
        (statement, owner) -> {
          statement.setString(1, owner.network());
          statement.setBytes(2, KeyBytes.of(owner.network(), owner.address()));
        },
        reader);
  }

  /** All that a query finds for each of these, one after the other. */
  private static <K, R> List<R> each(
      Connection connection,
      String sql,
      Collection<K> keys,
      Rows.Binding<K> binding,
      Rows.Reader<R> reader)
      throws SQLException {
    List<R> found = new ArrayList<>();
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      for (K key : keys) {
        binding.bind(statement, key);
        try (ResultSet rows = statement.executeQuery()) {
          found.addAll(Rows.all(rows, reader));
        }
      }
    }
    return found;
  }

  @Override
  public List<Budget> lockBudgets(Connection connection, SortedSet<UUID> keys) throws SQLException {
    return each(
        connection,
        LOCK_BUDGET,
        keys,
        (statement, key) -> statement.setObject(1, key),
        Rows::budget);
  }

  @Override
  public String addUsage() {
    return ADD_USAGE;
  }

  @Override
  public Map<PaymentKey, Claim> claim(
      Connection connection, List<ClaimRequest> requests, Owner owner, Instant now)
      throws SQLException {
    Map<PaymentKey, Claim> claims = new HashMap<>();
    try (PreparedStatement find = connection.prepareStatement(FIND);
        PreparedStatement reclaim = connection.prepareStatement(RECLAIM);
        PreparedStatement insert = connection.prepareStatement(INSERT)) {
      for (ClaimRequest request : requests) {
        bindKey(find, 1, request.key());
        if (!isThere(find)) {
          UUID id = PaymentIds.next();
          insert.setObject(bind(insert, request, owner, now), id);
          insert.executeUpdate();
          claims.put(request.key(), new Claim(id, 1, request.key(), request.amount()));
        } else {
          bind(reclaim, request, owner, now);
          try (ResultSet rows = reclaim.executeQuery()) {
            if (rows.next()) {
              claims.put(request.key(), Rows.claim(rows));
            }
          }
        }
      }
    }
    return claims;
  }

  @Override
  public List<PaymentRow> find(Connection connection, List<PaymentKey> keys) throws SQLException {
    return each(
        connection, FIND, keys, (statement, key) -> bindKey(statement, 1, key), Rows::payment);
  }

  @Override
  public List<AppliedTransition> move(
      Connection connection, List<Transition> transitions, Instant now) throws SQLException {
    List<AppliedTransition> applied = new ArrayList<>();
    try (PreparedStatement statement = connection.prepareStatement(MOVE)) {
      for (Transition transition : transitions) {
        bind(statement, transition, now);
        try (ResultSet rows = statement.executeQuery()) {
          if (!rows.next()) {
            continue;
          }
          applied.add(Rows.applied(rows));
        }
        tell(connection, transition, now);
      }
    }
    return applied;
  }

  private void tell(Connection connection, Transition transition, Instant now) throws SQLException {
    String type = told.get(transition.target());
    if (type != null && (!type.equals(Outbox.FAILED) || endsDoubt(connection, transition))) {
      String key = transition.id() + "_" + transition.attempt();
      outbox.write(connection, new OutboxEvent(type, key, transition.id(), now, null));
    }
  }

  private static boolean endsDoubt(Connection connection, Transition transition)
      throws SQLException {
    return transition.mayEndDoubt()
        && Rows.exists(connection, DOUBT, doubt -> doubt.setObject(1, transition.id()));
  }

  @Override
  public void write(
      Connection connection, Changes changes, List<Deliveries.Note> arrived, Instant now)
      throws SQLException {
    Rows.batch(
        connection,
        DELIVER,
        arrived,
        (statement, note) -> {
          statement.setObject(1, Rows.utc(now));
          note.bind(statement, 2);
        });
    Rows.batch(
        connection,
        LINE,
        changes.lines(),
        (statement, line) -> {
          statement.setObject(1, Rows.utc(now));
          statement.setObject(2, line.payment());
          statement.setLong(3, line.debit());
          statement.setLong(4, line.credit());
          statement.setLong(5, line.amount());
        });
    Rows.batch(
        connection,
        CHANGE,
        changes.sorted(),
        (statement, change) -> {
          AccountKey key = change.getKey();
          statement.setLong(1, change.getValue().reserved());
          statement.setLong(2, change.getValue().balance());
          statement.setString(3, key.network());
          statement.setBytes(4, KeyBytes.of(key.network(), key.owner()));
          statement.setString(5, key.asset());
        });
  }

  @Override
  public JournalStorage journal() {
    return JournalStorage.H2;
  }

  private static boolean isThere(PreparedStatement statement) throws SQLException {
    try (ResultSet rows = statement.executeQuery()) {
      return rows.next();
    }
  }

  private static void bind(PreparedStatement statement, Transition transition, Instant now)
      throws SQLException {
    statement.setString(1, transition.target().name());
    statement.setString(2, transition.transaction());
    statement.setString(3, transition.why().reason());
    statement.setObject(4, transition.target() == PaymentState.SETTLED ? Rows.utc(now) : null);
    statement.setObject(5, transition.beginsToSettle() ? Rows.utc(now) : null);
    statement.setObject(6, transition.closesUncharged() ? Rows.utc(now) : null);
    statement.setObject(7, transition.charged());
    statement.setBoolean(8, transition.isSending());
    statement.setObject(9, transition.answering());
    statement.setObject(10, transition.why().status());
    statement.setString(11, transition.why().upstream());
    statement.setObject(12, transition.id());
    statement.setInt(13, transition.attempt());
    statement.setString(14, transition.owner().node());
    statement.setLong(15, transition.owner().epoch());
    statement.setString(16, transition.firstSource().name());
    statement.setString(17, transition.lastSource().name());
    statement.setBoolean(18, transition.isSending());
  }

  /** Binds what both statements of a claim begin with; returns the next free position. */
  private static int bind(
      PreparedStatement statement, ClaimRequest request, Owner owner, Instant now)
      throws SQLException {
    RequestBinding binding = request.binding();
    statement.setString(1, owner.node());
    statement.setLong(2, owner.epoch());
    statement.setString(3, binding.method());
    statement.setString(4, binding.path());
    statement.setString(5, binding.query());
    statement.setBytes(6, KeyBytes.hash(binding.bodyHash()));
    statement.setBytes(7, KeyBytes.hash(request.envelopeHash()));
    statement.setLong(8, request.amount());
    statement.setString(9, request.asset());
    statement.setString(10, request.payTo());
    statement.setObject(11, Rows.utc(request.validBefore()));
    statement.setObject(12, Rows.utc(now));
    statement.setString(13, request.redelivery().name());
    statement.setObject(14, request.origin().key().orElse(null));
    statement.setString(15, request.origin().scope());
    statement.setString(16, request.origin().requestId());
    return bindKey(statement, 17, request.key());
  }

  private static int bindKey(PreparedStatement statement, int from, PaymentKey key)
      throws SQLException {
    statement.setString(from, key.network());
    statement.setBytes(from + 1, KeyBytes.of(key.network(), key.payer()));
    statement.setBytes(from + 2, KeyBytes.of(key.network(), key.nonce()));
    return from + 3;
  }
}
