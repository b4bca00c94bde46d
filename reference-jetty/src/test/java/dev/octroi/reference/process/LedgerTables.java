package dev.octroi.reference.process;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.octroi.payments.books.BookVerification;
import dev.octroi.payments.books.Period;
import dev.octroi.payments.client.Wallet;
import dev.octroi.payments.ledger.PaymentState;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.StringJoiner;
import java.util.UUID;

/** What stands in the tables of the ledger, read past the gateway. */
final class LedgerTables implements AutoCloseable {

  /** What a payer starts with, in atomic units. */
  static final long START = 1_000_000_000L;

  /** Of accounts that exist: with the others both sides of a line would always cancel out. */
  private static final String BOOKED =
      """
      (SELECT SUM(t.balance) AS balance, SUM(t.moved) AS booked FROM (
          SELECT id, 1 AS known, balance, 0 AS moved FROM book_account
          UNION ALL SELECT credit, 0, CAST(NULL AS BIGINT), amount FROM journal
          UNION ALL SELECT debit, 0, CAST(NULL AS BIGINT), -amount FROM journal) t
        GROUP BY t.id HAVING SUM(t.known) > 0) b
      """;

  private static final Duration KEPT = Duration.ofDays(400);
  private static final int TOLD = 10;

  private final HikariDataSource database;
  private final Connection connection;

  /** One payment. */
  record Row(PaymentState state, long amount, boolean delivered, String transaction, long debits) {}

  private LedgerTables(HikariDataSource database) throws SQLException {
    this.database = database;
    this.connection = database.getConnection();
  }

  /** A copy of the file that a killed process left, as it left it. */
  static LedgerTables ofFile(Path data, Path copies) throws IOException, SQLException {
    String copy = "copy-" + UUID.randomUUID();
    Files.copy(
        data.resolve("octroi.mv.db"), Files.createDirectories(copies).resolve(copy + ".mv.db"));
    return at("jdbc:h2:" + copies.resolve(copy), "octroi");
  }

  static LedgerTables at(String url, String user) throws SQLException {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(url);
    config.setUsername(user);
    config.setPassword("");
    config.setMaximumPoolSize(2);
    return new LedgerTables(new HikariDataSource(config));
  }

  Optional<Row> payment(Sale sale) throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement(
            """
            SELECT state, amount, delivered, COALESCE(tx, '') AS tx,
              (SELECT count(*) FROM journal j WHERE j.payment_id = p.id) AS debits
            FROM payment p WHERE nonce = ?
            """)) {
      statement.setBytes(1, sale.nonce());
      try (ResultSet rows = statement.executeQuery()) {
        return rows.next()
            ? Optional.of(
                new Row(
                    PaymentState.valueOf(rows.getString("state")),
                    rows.getLong("amount"),
                    rows.getBoolean("delivered"),
                    rows.getString("tx"),
                    rows.getLong("debits")))
            : Optional.empty();
      }
    }
  }

  /** The payments that have not ended, and what is known of each. */
  List<String> open() throws SQLException {
    try (PreparedStatement statement =
            connection.prepareStatement(
                """
                SELECT p.*, d.* FROM payment p LEFT JOIN doubt d ON d.payment_id = p.id
                WHERE state IN ('CLAIMED', 'SETTLING', 'IN_DOUBT') ORDER BY claimed_at
                """);
        ResultSet rows = statement.executeQuery()) {
      List<String> open = new ArrayList<>();
      while (rows.next()) {
        StringJoiner row = new StringJoiner(", ");
        for (int i = 1; i <= rows.getMetaData().getColumnCount(); i++) {
          row.add(rows.getMetaData().getColumnLabel(i) + " " + rows.getString(i));
        }
        open.add(row.toString());
      }
      return open;
    }
  }

  /** The payer's sandbox money; what every payer starts with where it was never seen. */
  long balance(Sale sale) throws SQLException {
    return balance(sale.payer());
  }

  long balance(Wallet wallet) throws SQLException {
    String payer = wallet.address().toString().substring(2);
    try (PreparedStatement statement =
        connection.prepareStatement(
            "SELECT balance FROM book_account WHERE kind = 'PAYER' AND owner = ?")) {
      statement.setBytes(1, HexFormat.of().parseHex(payer.toLowerCase(Locale.ROOT)));
      try (ResultSet rows = statement.executeQuery()) {
        return rows.next() ? rows.getLong(1) : START;
      }
    }
  }

  long payments() throws SQLException {
    return count("payment");
  }

  long count(String table) throws SQLException {
    return number("SELECT count(*) FROM " + table);
  }

  /** What the product itself finds out about its books, short of the chain. */
  void assertVerified() {
    BookVerification books = new BookVerification(database, Map.of(), KEPT, Clock.systemUTC());
    assertThat(books.verify(Period.ALL, TOLD).differences()).isEmpty();
  }

  /**
   * The same, and as seen without the product's help: the journal sums to zero, balances agree with
   * it, and no settled payment has two lines but for what was given back.
   */
  void assertBooksAgree() throws SQLException {
    assertVerified();
    assertThat(number("SELECT COALESCE(SUM(booked), 0) FROM " + BOOKED)).isZero();
    assertThat(number("SELECT count(*) FROM " + BOOKED + " WHERE balance <> booked")).isZero();
    assertThat(
            number(
                """
                SELECT count(*) FROM (SELECT t.id FROM (
                    SELECT id, CASE WHEN state = 'SETTLED' THEN -1 ELSE 0 END AS lines FROM payment
                    UNION ALL SELECT p.id, 1 FROM journal j
                      JOIN payment p ON p.id = j.payment_id AND p.amount = j.amount
                    UNION ALL SELECT p.id, -1 FROM refund r
                      JOIN payment p ON p.id = r.payment_id AND p.amount = r.amount
                      WHERE r.state = 'PAID') t
                  GROUP BY t.id HAVING SUM(t.lines) <> 0) wrong
                """))
        .isZero();
  }

  /** No money is set aside for a call that is over. */
  void assertNothingReserved() throws SQLException {
    assertThat(number("SELECT COALESCE(SUM(reserved), 0) FROM book_account")).isZero();
  }

  private long number(String sql) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql);
        ResultSet rows = statement.executeQuery()) {
      assertThat(rows.next()).isTrue();
      return rows.getLong(1);
    }
  }

  @Override
  public void close() throws SQLException {
    connection.close();
    database.close();
  }
}
