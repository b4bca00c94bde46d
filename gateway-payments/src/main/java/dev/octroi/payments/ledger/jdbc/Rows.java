package dev.octroi.payments.ledger.jdbc;

import dev.octroi.payments.NamedStatements;
import dev.octroi.payments.Redelivery;
import dev.octroi.payments.facilitator.PaymentKey;
import dev.octroi.payments.facilitator.UnresolvedPayments.UnresolvedPayment;
import dev.octroi.payments.ledger.Claim;
import dev.octroi.payments.ledger.ClaimRequest.RequestBinding;
import dev.octroi.payments.ledger.KeyBytes;
import dev.octroi.payments.ledger.Owner;
import dev.octroi.payments.ledger.PaymentState;
import dev.octroi.payments.ledger.jdbc.KeyBooks.Budget;
import dev.octroi.payments.ledger.jdbc.Transition.AppliedTransition;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.stream.LongStream;

/**
 * Runs what is prepared by hand, and reads rows in the one shape that both dialects select. See the
 * package for what that is.
 */
final class Rows {

  /** Reads one row. */
  @FunctionalInterface
  interface Reader<R> {
    R read(ResultSet row) throws SQLException;
  }

  /** Binds what a statement is run for. */
  @FunctionalInterface
  interface Binding<T> {
    void bind(PreparedStatement statement, T row) throws SQLException;
  }

  /** Binds the values of a statement that is run once. */
  @FunctionalInterface
  interface Values {
    void bind(PreparedStatement statement) throws SQLException;
  }

  private Rows() {}

  /** Runs a statement for each of these at once, if there are any; how much each changed. */
  static <T> int[] batch(
      Connection connection, String sql, Collection<T> rows, Binding<? super T> binding)
      throws SQLException {
    if (rows.isEmpty()) {
      return new int[0];
    }
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      for (T row : rows) {
        binding.bind(statement, row);
        statement.addBatch();
      }
      return statement.executeBatch();
    }
  }

  /** Runs a statement once; how many rows it changed. */
  static int update(Connection connection, String sql, Values values) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      values.bind(statement);
      return statement.executeUpdate();
    }
  }

  /** The first row; empty if there is none. */
  static <R> Optional<R> first(Connection connection, String sql, Values values, Reader<R> reader)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      values.bind(statement);
      try (ResultSet rows = statement.executeQuery()) {
        return rows.next() ? Optional.of(reader.read(rows)) : Optional.empty();
      }
    }
  }

  /** Whether there is any row. */
  static boolean exists(Connection connection, String sql, Values values) throws SQLException {
    return first(connection, sql, values, row -> true).isPresent();
  }

  /** Reads all rows, from the first. */
  static <R> List<R> all(ResultSet rows, Reader<R> reader) throws SQLException {
    List<R> all = new ArrayList<>();
    while (rows.next()) {
      all.add(reader.read(rows));
    }
    return all;
  }

  static PaymentKey key(ResultSet row) throws SQLException {
    String network = row.getString("network");
    return new PaymentKey(
        network,
        KeyBytes.text(network, row.getBytes("payer")),
        KeyBytes.text(network, row.getBytes("nonce")));
  }

  static Claim claim(ResultSet row) throws SQLException {
    return new Claim(
        row.getObject("id", UUID.class), row.getInt("attempt"), key(row), row.getLong("amount"));
  }

  static AppliedTransition applied(ResultSet row) throws SQLException {
    return new AppliedTransition(
        row.getObject("id", UUID.class),
        account(row, "payer"),
        row.getString("pay_to"),
        row.getLong("amount"),
        row.getLong("charged"),
        row.getBoolean("sent"),
        row.getObject("key_id", UUID.class),
        Objects.requireNonNullElse(row.getString("scope"), ""),
        NamedStatements.instant(row, "claimed_at").orElseThrow());
  }

  /** What the account of an owner is found by. */
  static AccountKey account(ResultSet row, String owner) throws SQLException {
    String network = row.getString("network");
    return new AccountKey(
        network, KeyBytes.text(network, row.getBytes(owner)), row.getString("asset"));
  }

  static Account account(ResultSet row) throws SQLException {
    return new Account(
        row.getLong("id"), account(row, "owner"), row.getLong("reserved"), number(row, "balance"));
  }

  static Budget budget(ResultSet row) throws SQLException {
    return new Budget(
        row.getObject("key_id", UUID.class),
        least(row, "granted_daily", "own_daily"),
        least(row, "granted_monthly", "own_monthly"),
        row.getObject("on_day", LocalDate.class),
        row.getLong("day_spent"),
        row.getObject("in_month", LocalDate.class),
        row.getLong("month_spent"));
  }

  private static OptionalLong least(ResultSet row, String one, String other) throws SQLException {
    return LongStream.concat(number(row, one).stream(), number(row, other).stream()).min();
  }

  static OptionalLong number(ResultSet row, String column) throws SQLException {
    long value = row.getLong(column);
    return row.wasNull() ? OptionalLong.empty() : OptionalLong.of(value);
  }

  static PaymentRow payment(ResultSet row) throws SQLException {
    return new PaymentRow(
        row.getObject("id", UUID.class),
        key(row),
        PaymentState.valueOf(row.getString("state")),
        row.getInt("attempt"),
        new Owner(row.getString("node"), row.getLong("epoch")),
        binding(row),
        row.getBytes("envelope_hash"),
        row.getLong("amount"),
        row.getString("tx"),
        row.getString("reason"),
        NamedStatements.instant(row, "claimed_at").orElseThrow(),
        NamedStatements.instant(row, "settled_at").orElse(null),
        row.getBoolean("delivered"),
        row.getBoolean("rerunning"),
        row.getInt("reruns"),
        row.getBoolean("sent"),
        Redelivery.valueOf(row.getString("redelivery")),
        Optional.ofNullable(row.getObject("key_id", UUID.class)));
  }

  static UnresolvedPayment unresolved(ResultSet row) throws SQLException {
    return new UnresolvedPayment(
        row.getObject("id", UUID.class),
        row.getInt("attempt"),
        key(row),
        row.getString("asset"),
        row.getString("pay_to"),
        row.getLong("amount"),
        NamedStatements.instant(row, "valid_before").orElseThrow(),
        NamedStatements.instant(row, "since").orElseThrow(),
        row.getString("tx"),
        PaymentState.valueOf(row.getString("state")) == PaymentState.SETTLING);
  }

  static OffsetDateTime utc(Instant instant) {
    return instant.atOffset(ZoneOffset.UTC);
  }

  static RequestBinding binding(ResultSet row) throws SQLException {
    return new RequestBinding(
        row.getString("method"),
        row.getString("path"),
        row.getString("query"),
        HexFormat.of().formatHex(row.getBytes("body_hash")));
  }
}
