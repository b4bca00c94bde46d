package dev.octroi.payments.ledger.jdbc;

import dev.octroi.payments.facilitator.PaymentKey;
import dev.octroi.payments.ledger.AccountKind;
import dev.octroi.payments.ledger.Claim;
import dev.octroi.payments.ledger.ClaimRequest;
import dev.octroi.payments.ledger.KeyBytes;
import dev.octroi.payments.ledger.Owner;
import dev.octroi.payments.ledger.jdbc.JournalClosing.JournalStorage;
import dev.octroi.payments.ledger.jdbc.KeyBooks.Budget;
import dev.octroi.payments.ledger.jdbc.Locks.Payer;
import dev.octroi.payments.ledger.jdbc.Transition.AppliedTransition;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * PostgreSQL is a round trip away: each statement takes a whole batch as arrays.
 *
 * <p>A connection keeps its plans, and makes them while the tables are as good as empty. Each
 * statement that meets rows which are there therefore names their keys as arrays, and rules out
 * that a whole table is read: what it costs does not depend on when it was planned. So it is
 * planned once: left alone, PostgreSQL plans a statement with short arrays each time, which costs
 * it more than to run it.
 */
final class PostgresDialect implements Dialect {

  /** Sent along with a statement, at no round trip; holds until the transaction ends. */
  private static final String BY_KEYS =
      """
      SET LOCAL enable_seqscan = off;
      SET LOCAL plan_cache_mode = force_generic_plan;
      """;

  /**
   * A key-share lock lets heartbeats pass, which leave the key alone, and makes a sweep wait, which
   * locks the row for update.
   */
  private static final String HOLD =
      """
      SELECT 1 FROM node WHERE name = ? AND epoch = ? AND expires_at > clock_timestamp()
      FOR KEY SHARE;
      """;

  private static final String ADD_ACCOUNTS =
      """
      INSERT INTO book_account (kind, network, owner, asset)
      SELECT ?, n.network, n.owner, n.asset
      FROM unnest(?::text[], ?::bytea[], ?::text[]) AS n(network, owner, asset)
      ORDER BY n.network, n.owner, n.asset
      ON CONFLICT DO NOTHING
      """;

  private static final String ACCOUNT_IDS =
      BY_KEYS
          + """
      SELECT a.id, k.place FROM book_account a
      JOIN unnest(?::text[], ?::bytea[], ?::text[]) WITH ORDINALITY AS k(network, owner, asset, place)
        ON a.network = k.network AND a.owner = k.owner AND a.asset = k.asset
      WHERE a.network = ANY (?) AND a.owner = ANY (?) AND a.kind = ?
      """;

  /** A lock of no row, for a payer may have none yet; held until the transaction ends. */
  private static final String TAKE_TURNS =
      """
      SELECT pg_advisory_xact_lock(hashtextextended(p.network || ' ' || p.address, 0))
      FROM unnest(?::text[], ?::text[]) AS p(network, address)
      """;

  private static final String LOCK_PAYERS =
      BY_KEYS
          + """
      SELECT a.id, a.network, a.owner, a.asset, a.reserved, a.balance
      FROM book_account a
      JOIN unnest(?::text[], ?::bytea[]) AS p(network, owner)
        ON a.network = p.network AND a.owner = p.owner
      WHERE a.kind = 'PAYER' AND a.network = ANY (?) AND a.owner = ANY (?)
      ORDER BY a.id
      FOR UPDATE OF a
      """;

  private static final String CHANNELS =
      BY_KEYS
          + ChannelRows.FIND
          + """
      JOIN unnest(?::text[], ?::bytea[]) AS p(network, id) ON c.network = p.network AND c.id = p.id
      WHERE c.network = ANY (?) AND c.id = ANY (?)
      """;

  private static final String LOCK_BUDGETS =
      "SELECT * FROM key_budget WHERE key_id = ANY (?) ORDER BY key_id FOR UPDATE";

  private static final String ADD_USAGE =
      """
      INSERT INTO key_usage (key_id, on_day, scope, calls, spend) VALUES (?, ?, ?, ?, ?)
      ON CONFLICT (key_id, on_day, scope) DO UPDATE SET
        calls = key_usage.calls + EXCLUDED.calls, spend = key_usage.spend + EXCLUDED.spend
      """;

  /**
   * An INSERT that failed would abort the whole batch; a conflict that is no RELEASED row does
   * nothing.
   */
  private static final String CLAIM =
      """
      INSERT INTO payment (id, network, payer, nonce, state, attempt, node, epoch, method, path, query,
        body_hash, envelope_hash, amount, asset, pay_to, valid_before, claimed_at, redelivery, key_id, scope,
        request_id)
      SELECT r.id, r.network, r.payer, r.nonce, 'CLAIMED', 1, ?, ?, r.method, r.path, r.query, r.body_hash,
        r.envelope_hash, r.amount, r.asset, r.pay_to, r.valid_before::timestamptz, ?, r.redelivery,
        r.key_id, r.scope, r.request_id
      FROM unnest(?::uuid[], ?::text[], ?::bytea[], ?::bytea[], ?::text[], ?::text[], ?::text[],
        ?::bytea[], ?::bytea[], ?::int8[], ?::text[], ?::text[], ?::text[], ?::text[], ?::uuid[],
        ?::text[], ?::text[])
        AS r(id, network, payer, nonce, method, path, query, body_hash, envelope_hash, amount, asset,
          pay_to, valid_before, redelivery, key_id, scope, request_id)
      ON CONFLICT (network, payer, nonce) DO UPDATE SET state = 'CLAIMED', attempt = payment.attempt + 1,
        node = EXCLUDED.node, epoch = EXCLUDED.epoch, method = EXCLUDED.method, path = EXCLUDED.path,
        query = EXCLUDED.query, body_hash = EXCLUDED.body_hash, envelope_hash = EXCLUDED.envelope_hash,
        amount = EXCLUDED.amount, asset = EXCLUDED.asset, pay_to = EXCLUDED.pay_to,
        valid_before = EXCLUDED.valid_before, claimed_at = EXCLUDED.claimed_at,
        redelivery = EXCLUDED.redelivery, key_id = EXCLUDED.key_id, scope = EXCLUDED.scope,
        request_id = EXCLUDED.request_id, charged = NULL, settling_at = NULL, closed_at = NULL,
        reason = NULL, answer_status = NULL, upstream = NULL
      WHERE payment.state = 'RELEASED'
      RETURNING id, attempt, network, payer, nonce, amount
      """;

  private static final String FIND =
      """
      SELECT p.* FROM unnest(?::text[], ?::bytea[], ?::bytea[]) AS k(network, payer, nonce),
        LATERAL (SELECT * FROM payment f
          WHERE f.network = k.network AND f.payer = k.payer AND f.nonce = k.nonce OFFSET 0) p
      """;

  private static final String MOVE =
      """
      UPDATE payment p SET state = s.target, tx = coalesce(s.tx, p.tx),
        reason = coalesce(s.reason, p.reason),
        settled_at = CASE WHEN s.target = 'SETTLED' THEN n.at ELSE p.settled_at END,
        settling_at = CASE WHEN s.begins THEN n.at ELSE p.settling_at END,
        closed_at = CASE WHEN s.closes THEN n.at ELSE p.closed_at END,
        charged = coalesce(s.charged, p.charged), sent = p.sent OR s.sending,
        rerunning = coalesce(s.answering, p.rerunning),
        answer_status = coalesce(s.status, p.answer_status), upstream = coalesce(s.upstream, p.upstream)
      FROM (SELECT ?::timestamptz AS at) n,
        unnest(?::uuid[], ?::int4[], ?::text[], ?::int8[], ?::text[], ?::text[], ?::text[], ?::text[],
          ?::text[], ?::bool[], ?::bool[], ?::bool[], ?::int8[], ?::bool[], ?::int2[], ?::text[])
          AS s(id, attempt, node, epoch, source, other, target, tx, reason, sending, begins, closes,
            charged, answering, status, upstream)
      WHERE p.id = ANY (?) AND p.id = s.id
        AND p.attempt = s.attempt AND p.node = s.node AND p.epoch = s.epoch
        AND p.state IN (s.source, s.other) AND NOT (p.sent AND s.sending)
      RETURNING p.id, p.network, p.payer, p.asset, p.pay_to, p.amount,
        coalesce(p.charged, p.amount) AS charged, p.sent, p.key_id, p.scope, p.claimed_at
      """;

  /** The same, and the events of it, which cost no statement of their own. */
  private static final String MOVE_AND_TELL =
      """
      WITH moved AS (%s, p.state, p.attempt, n.at),
      told AS (
        INSERT INTO webhook_event (id, type, subject, at)
        SELECT concat(replace(t.type, '.', '_'), '_', m.id, '_', m.attempt), t.type, m.id, m.at
        FROM moved m JOIN (VALUES %s) AS t(state, type) ON t.state = m.state
        WHERE t.type <> 'payment.failed' OR EXISTS (SELECT 1 FROM doubt d WHERE d.payment_id = m.id)
        ON CONFLICT DO NOTHING)
      SELECT * FROM moved
      """;

  private static final String DELIVER =
      BY_KEYS
          + """
      UPDATE payment p SET delivered = TRUE, delivered_at = ?, rerunning = FALSE
      FROM unnest(?::uuid[], ?::int4[], ?::text[], ?::int8[]) AS d(id, attempt, node, epoch)
      WHERE p.id = ANY (?) AND p.id = d.id
        AND p.attempt = d.attempt AND p.node = d.node AND p.epoch = d.epoch AND p.state IN ('SETTLING', 'SETTLED');
      """;

  private static final String CHANGE =
      """
      UPDATE book_account a SET reserved = a.reserved + c.reserved, balance = a.balance + c.balance
      FROM unnest(?::text[], ?::bytea[], ?::text[], ?::int8[], ?::int8[])
        AS c(network, owner, asset, reserved, balance)
      WHERE a.network = ANY (?) AND a.owner = ANY (?) AND a.kind = 'PAYER'
        AND a.network = c.network AND a.owner = c.owner AND a.asset = c.asset
      """;

  private static final String LINES =
      """
      INSERT INTO journal (at, payment_id, debit, credit, amount)
      SELECT ?, l.* FROM unnest(?::uuid[], ?::int8[], ?::int8[], ?::int8[]) AS l;
      """;

  private final String move;

  PostgresDialect(Outbox outbox) {
    String told =
        outbox.ofPayments().entrySet().stream()
            .map(entry -> "('%s', '%s')".formatted(entry.getKey(), entry.getValue()))
            .collect(Collectors.joining(", "));
    this.move =
        BY_KEYS + (told.isEmpty() ? MOVE : MOVE_AND_TELL.formatted(MOVE.stripTrailing(), told));
  }

  @Override
  public int writers() {
    return 2;
  }

  @Override
  public void addAccounts(Connection connection, Collection<AccountKey> keys, AccountKind kind)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(ADD_ACCOUNTS)) {
      statement.setString(1, kind.name());
      new Arrays<>(statement, keys, 2)
          .add("text", AccountKey::network)
          .add("bytea", PostgresDialect::owner)
          .add("text", AccountKey::asset);
      statement.executeUpdate();
    }
  }

  @Override
  public Map<AccountKey, Long> accountIds(
      Connection connection, Collection<AccountKey> keys, AccountKind kind) throws SQLException {
    Map<AccountKey, Long> ids = new HashMap<>();
    List<AccountKey> asked = List.copyOf(keys);
    try (PreparedStatement statement = connection.prepareStatement(ACCOUNT_IDS)) {
      int next =
          new Arrays<>(statement, asked, 1)
              .add("text", AccountKey::network)
              .add("bytea", PostgresDialect::owner)
              .add("text", AccountKey::asset)
              .add("text", AccountKey::network)
              .add("bytea", PostgresDialect::owner)
              .next();
      statement.setString(next, kind.name());
      try (ResultSet rows = rows(statement)) {
        while (rows.next()) {
          ids.put(asked.get(rows.getInt("place") - 1), rows.getLong("id"));
        }
      }
    }
    return ids;
  }

  @Override
  public void takeTurns(Connection connection, SortedSet<Payer> payers) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(TAKE_TURNS)) {
      new Arrays<>(statement, payers, 1).add("text", Payer::network).add("text", Payer::address);
      statement.execute();
    }
  }

  @Override
  public List<Account> lockPayers(
      Connection connection, Collection<Payer> payers, @Nullable Owner claiming)
      throws SQLException {
    String hold = claiming == null ? "" : HOLD;
    try (PreparedStatement statement = connection.prepareStatement(hold + LOCK_PAYERS)) {
      int next = 1;
      if (claiming != null) {
        statement.setString(1, claiming.node());
        statement.setLong(2, claiming.epoch());
        next = 3;
      }
      owners(new Arrays<>(statement, payers, next));
      statement.execute();
      if (claiming != null) {
        prove(statement);
      }
      try (ResultSet rows = nextRows(statement)) {
        return Rows.all(rows, Rows::account);
      }
    }
  }

  /** That the statement's first answer is not empty: the node lives. */
  private static void prove(PreparedStatement statement) throws SQLException {
    try (ResultSet rows = statement.getResultSet()) {
      if (!rows.next()) {
        throw Membership.expired();
      }
    }
    statement.getMoreResults();
  }

  @Override
  public List<ChannelRows.Row> channels(Connection connection, Collection<Payer> channels)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(CHANNELS)) {
      owners(new Arrays<>(statement, channels, 1));
      try (ResultSet rows = rows(statement)) {
        return Rows.all(rows, ChannelRows::row);
      }
    }
  }

  private static void owners(Arrays<Payer> arrays) throws SQLException {
    arrays
        .add("text", Payer::network)
        .add("bytea", PostgresDialect::owner)
        .add("text", Payer::network)
        .add("bytea", PostgresDialect::owner);
  }

  @Override
  public List<Budget> lockBudgets(Connection connection, SortedSet<UUID> keys) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(LOCK_BUDGETS)) {
      new Arrays<>(statement, keys, 1).add("uuid", key -> key);
      try (ResultSet rows = statement.executeQuery()) {
        return Rows.all(rows, Rows::budget);
      }
    }
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
    try (PreparedStatement statement = connection.prepareStatement(CLAIM)) {
      statement.setString(1, owner.node());
      statement.setLong(2, owner.epoch());
      statement.setObject(3, Rows.utc(now));
      bind(new Arrays<>(statement, requests, 4));
      try (ResultSet rows = statement.executeQuery()) {
        while (rows.next()) {
          Claim claim = Rows.claim(rows);
          claims.put(claim.key(), claim);
        }
      }
    }
    return claims;
  }

  private static void bind(Arrays<ClaimRequest> arrays) throws SQLException {
    arrays
        .add("uuid", request -> PaymentIds.next())
        .add("text", request -> request.key().network())
        .add("bytea", request -> KeyBytes.of(request.key().network(), request.key().payer()))
        .add("bytea", request -> KeyBytes.of(request.key().network(), request.key().nonce()))
        .add("text", request -> request.binding().method())
        .add("text", request -> request.binding().path())
        .add("text", request -> request.binding().query())
        .add("bytea", request -> KeyBytes.hash(request.binding().bodyHash()))
        .add("bytea", request -> KeyBytes.hash(request.envelopeHash()))
        .add("int8", ClaimRequest::amount)
        .add("text", ClaimRequest::asset)
        .add("text", ClaimRequest::payTo)
        .add("text", request -> request.validBefore().toString())
        .add("text", request -> request.redelivery().name())
        .add("uuid", request -> request.origin().key().orElse(null))
        .add("text", request -> request.origin().scope())
        .add("text", request -> request.origin().requestId());
  }

  @Override
  public List<PaymentRow> find(Connection connection, List<PaymentKey> keys) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(FIND)) {
      new Arrays<>(statement, keys, 1)
          .add("text", PaymentKey::network)
          .add("bytea", key -> KeyBytes.of(key.network(), key.payer()))
          .add("bytea", key -> KeyBytes.of(key.network(), key.nonce()));
      try (ResultSet rows = statement.executeQuery()) {
        return Rows.all(rows, Rows::payment);
      }
    }
  }

  @Override
  public List<AppliedTransition> move(
      Connection connection, List<Transition> transitions, Instant now) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(move)) {
      statement.setObject(1, Rows.utc(now));
      new Arrays<>(statement, transitions, 2)
          .add("uuid", Transition::id)
          .add("int4", Transition::attempt)
          .add("text", transition -> transition.owner().node())
          .add("int8", transition -> transition.owner().epoch())
          .add("text", transition -> transition.firstSource().name())
          .add("text", transition -> transition.lastSource().name())
          .add("text", transition -> transition.target().name())
          .add("text", Transition::transaction)
          .add("text", transition -> transition.why().reason())
          .add("bool", Transition::isSending)
          .add("bool", Transition::beginsToSettle)
          .add("bool", Transition::closesUncharged)
          .add("int8", Transition::charged)
          .add("bool", Transition::answering)
          .add("int2", transition -> transition.why().status())
          .add("text", transition -> transition.why().upstream())
          .add("uuid", Transition::id);
      try (ResultSet rows = rows(statement)) {
        return Rows.all(rows, Rows::applied);
      }
    }
  }

  /** All of it goes to the database at once. */
  @Override
  public void write(
      Connection connection, Changes changes, List<Deliveries.Note> arrived, Instant now)
      throws SQLException {
    List<Map.Entry<AccountKey, Changes.Change>> accounts = changes.sorted();
    String sql =
        (arrived.isEmpty() ? "" : DELIVER)
            + (changes.lines().isEmpty() ? "" : LINES)
            + (accounts.isEmpty() ? "" : CHANGE);
    if (sql.isEmpty()) {
      return;
    }
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      int next = arrived.isEmpty() ? 1 : deliver(statement, arrived, now);
      next = changes.lines().isEmpty() ? next : addLines(statement, next, changes.lines(), now);
      if (!accounts.isEmpty()) {
        change(new Arrays<>(statement, accounts, next));
      }
      statement.execute();
    }
  }

  private static int deliver(
      PreparedStatement statement, List<Deliveries.Note> arrived, Instant now) throws SQLException {
    statement.setObject(1, Rows.utc(now));
    return new Arrays<>(statement, arrived, 2)
        .add("uuid", note -> note.claim().id())
        .add("int4", note -> note.claim().attempt())
        .add("text", note -> note.owner().node())
        .add("int8", note -> note.owner().epoch())
        .add("uuid", note -> note.claim().id())
        .next();
  }

  private static int addLines(
      PreparedStatement statement, int from, List<Journal.Line> lines, Instant now)
      throws SQLException {
    statement.setObject(from, Rows.utc(now));
    return new Arrays<>(statement, lines, from + 1)
        .add("uuid", Journal.Line::payment)
        .add("int8", Journal.Line::debit)
        .add("int8", Journal.Line::credit)
        .add("int8", Journal.Line::amount)
        .next();
  }

  /** The rows are locked already, in the one order of all transactions. */
  private static void change(Arrays<Map.Entry<AccountKey, Changes.Change>> accounts)
      throws SQLException {
    accounts
        .add("text", change -> change.getKey().network())
        .add("bytea", change -> owner(change.getKey()))
        .add("text", change -> change.getKey().asset())
        .add("int8", change -> change.getValue().reserved())
        .add("int8", change -> change.getValue().balance())
        .add("text", change -> change.getKey().network())
        .add("bytea", change -> owner(change.getKey()));
  }

  private static byte[] owner(Payer payer) {
    return KeyBytes.of(payer.network(), payer.address());
  }

  private static byte[] owner(AccountKey key) {
    return KeyBytes.of(key.network(), key.owner());
  }

  /** The rows of a statement that begins with {@link #BY_KEYS}. */
  private static ResultSet rows(PreparedStatement statement) throws SQLException {
    statement.execute();
    return nextRows(statement);
  }

  private static ResultSet nextRows(PreparedStatement statement) throws SQLException {
    while (statement.getUpdateCount() >= 0) {
      statement.getMoreResults();
    }
    return statement.getResultSet();
  }

  @Override
  public JournalStorage journal() {
    return JournalStorage.POSTGRESQL;
  }

  /** Binds a list column by column, each as an SQL array. */
  private static final class Arrays<T> {

    private final PreparedStatement statement;
    private final Collection<T> rows;
    private int next;

    Arrays(PreparedStatement statement, Collection<T> rows, int first) {
      this.statement = statement;
      this.rows = rows;
      this.next = first;
    }

    Arrays<T> add(String type, Function<T, @Nullable Object> column) throws SQLException {
      Stream<@Nullable Object> cells = rows.stream().map(column);
      // The driver takes binary cells only as an array of that very type.
      Object[] values = type.equals("bytea") ? cells.toArray(byte[][]::new) : cells.toArray();
      statement.setArray(next++, statement.getConnection().createArrayOf(type, values));
      return this;
    }

    /** The position after those that are bound. */
    int next() {
      return next;
    }
  }
}
