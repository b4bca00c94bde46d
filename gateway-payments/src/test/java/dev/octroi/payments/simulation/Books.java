package dev.octroi.payments.simulation;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.octroi.db.H2Schema;
import dev.octroi.payments.NamedStatements;
import dev.octroi.payments.books.BookVerification;
import dev.octroi.payments.books.Period;
import dev.octroi.payments.facilitator.PaymentKey;
import dev.octroi.payments.ledger.KeyBytes;
import dev.octroi.payments.ledger.PaymentState;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import javax.sql.DataSource;
import org.jdbi.v3.core.Jdbi;
import org.jspecify.annotations.Nullable;

/** One database, emptied for each simulation, and what is seen of it from outside. */
final class Books implements AutoCloseable {

  static final UUID API_KEY = UUID.nameUUIDFromBytes("key".getBytes(StandardCharsets.UTF_8));
  static final long DAILY = 40_000;

  private static final List<String> TABLES =
      List.of(
          "payment",
          "stored_answer",
          "journal",
          "doubt",
          "book_account",
          "node",
          "key_usage",
          "effect",
          "refund",
          "channel",
          "channel_deposit",
          "channel_reading",
          "deferred_settlement");

  private static final String PAYMENT =
      "SELECT state, sent, delivered, reruns, path, id FROM payment WHERE payer = ? AND nonce = ?";

  private static final String SUMS =
      """
      SELECT
        (SELECT COALESCE(SUM(amount), 0) FROM payment
          WHERE key_id IS NOT NULL AND state IN ('CLAIMED', 'SETTLING', 'SETTLED', 'IN_DOUBT'))
          - (SELECT COALESCE(SUM(r.amount), 0) FROM refund r JOIN payment p ON p.id = r.payment_id
            WHERE p.key_id IS NOT NULL),
        (SELECT day_spent FROM key_budget),
        (SELECT COALESCE(SUM(amount), 0) FROM payment WHERE state IN ('CLAIMED', 'SETTLING', 'IN_DOUBT'))
          + (SELECT COALESCE(SUM(deposit), 0) FROM channel WHERE payment_id IS NOT NULL),
        (SELECT COALESCE(SUM(reserved), 0) FROM book_account)
      """;

  private final HikariDataSource pool;
  private final Jdbi jdbi;
  private final Connection connection;
  private final PreparedStatement payment;
  private final PreparedStatement sums;

  /** A payment as it stands. */
  record Row(
      PaymentState state, boolean sent, boolean delivered, int reruns, String path, UUID id) {

    boolean isUnresolved() {
      return state == PaymentState.IN_DOUBT || (state == PaymentState.SETTLING && !sent);
    }

    boolean isCharged() {
      return state == PaymentState.SETTLED || sent;
    }
  }

  /**
   * A channel as it stands.
   *
   * @param signed what the voucher permits that is kept
   * @param promised what that of the payment permits that holds the channel
   */
  record ChannelRow(
      long charged,
      long claimed,
      long signed,
      byte @Nullable [] signature,
      long promised,
      byte @Nullable [] promise,
      boolean isHeld) {}

  /**
   * What must agree at every instant, in atomic units.
   *
   * @param taken what the API key's payments have taken, less what was refunded
   * @param spent what its budget says of that
   * @param open what payments are open for
   * @param reserved what the accounts say of that
   */
  record Sums(long taken, long spent, long open, long reserved) {}

  Books() throws SQLException {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(
        "jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1;QUERY_CACHE_SIZE=256");
    pool = new HikariDataSource(config);
    H2Schema.copyTo(pool);
    jdbi = NamedStatements.of(pool);
    connection = pool.getConnection();
    payment = connection.prepareStatement(PAYMENT);
    sums = connection.prepareStatement(SUMS);
    jdbi.useHandle(
        handle -> {
          handle.execute(
              "INSERT INTO account (id, name, created_at) VALUES (?, 'sim', CURRENT_TIMESTAMP)",
              API_KEY);
          handle.execute(
              """
              INSERT INTO api_key (id, account_id, name, prefix, permitted, created_at)
              VALUES (?, ?, 'sim', 'sk-sim', '', CURRENT_TIMESTAMP)
              """,
              API_KEY,
              API_KEY);
        });
  }

  DataSource database() {
    return pool;
  }

  void empty(Clock clock) {
    LocalDate day = LocalDate.ofInstant(clock.instant(), ZoneOffset.UTC);
    jdbi.useHandle(
        handle -> {
          TABLES.forEach(table -> handle.execute("DELETE FROM " + table));
          handle.execute("DELETE FROM key_budget");
          handle.execute(
              "INSERT INTO key_budget (key_id, granted_daily, on_day, in_month) VALUES (?, ?, ?, ?)",
              API_KEY,
              DAILY,
              day,
              day.withDayOfMonth(1));
        });
  }

  /** The node's time is over, whether it knows or not. */
  void expire(String node) {
    jdbi.useHandle(
        handle -> handle.execute("UPDATE node SET expires_at = beat_at WHERE name = ?", node));
  }

  Optional<Row> row(PaymentKey key) {
    try {
      payment.setBytes(1, KeyBytes.of(key.network(), key.payer()));
      payment.setBytes(2, KeyBytes.of(key.network(), key.nonce()));
      try (ResultSet row = payment.executeQuery()) {
        return row.next()
            ? Optional.of(
                new Row(
                    PaymentState.valueOf(row.getString(1)),
                    row.getBoolean(2),
                    row.getBoolean(3),
                    row.getInt(4),
                    row.getString(5),
                    row.getObject(6, UUID.class)))
            : Optional.empty();
      }
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  /** A channel as it stands; empty as long as no payment has come out of it. */
  Optional<ChannelRow> channel(String id) {
    return jdbi.withHandle(
        handle ->
            handle
                .createQuery(
                    "SELECT charged, claimed, signed, signature, payment_id IS NOT NULL AS held,"
                        + " COALESCE(promised, 0) AS promised, promise FROM channel WHERE id = :id")
                .bind("id", KeyBytes.of(Voucher.NETWORK, id))
                .map(
                    (row, context) ->
                        new ChannelRow(
                            row.getLong("charged"),
                            row.getLong("claimed"),
                            row.getLong("signed"),
                            row.getBytes("signature"),
                            row.getLong("promised"),
                            row.getBytes("promise"),
                            row.getBoolean("held")))
                .findOne());
  }

  /** What a bookkeeper finds by the rules of the books. */
  String differences(Clock clock) {
    return new BookVerification(pool, Map.of(), Duration.ofDays(400), clock)
        .verify(Period.ALL, 3)
        .differences()
        .toString();
  }

  Sums sums() {
    try (ResultSet row = sums.executeQuery()) {
      row.next();
      return new Sums(row.getLong(1), row.getLong(2), row.getLong(3), row.getLong(4));
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Runs a statement; how many rows it changed. */
  int change(String sql, Object... parameters) {
    return jdbi.withHandle(handle -> handle.execute(sql, parameters));
  }

  long number(String sql, Object... parameters) {
    return jdbi.withHandle(handle -> handle.select(sql, parameters).mapTo(Long.class).one());
  }

  @Override
  public void close() throws SQLException {
    payment.close();
    sums.close();
    connection.close();
    pool.close();
  }
}
