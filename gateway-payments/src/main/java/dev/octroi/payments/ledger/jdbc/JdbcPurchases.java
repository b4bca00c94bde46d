package dev.octroi.payments.ledger.jdbc;

import dev.octroi.payments.facilitator.PaymentKey;
import dev.octroi.payments.ledger.ClaimRequest.RequestBinding;
import dev.octroi.payments.ledger.KeyBytes;
import dev.octroi.payments.ledger.Ledger.PayerHistory;
import dev.octroi.payments.ledger.PaymentState;
import dev.octroi.payments.ledger.Purchases;
import dev.octroi.payments.ledger.Purchases.Purchase;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.HexFormat;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Reads payments on the ledger's writer threads. */
record JdbcPurchases(Statements statements) implements Purchases {

  private static final String COLUMNS =
      """
      SELECT id, network, payer, nonce, envelope_hash, state, COALESCE(charged, amount) AS charged, asset,
        pay_to, tx, reason, method, path, query, delivered, claimed_at, settled_at, delivered_at, key_id
      FROM payment
      """;

  private static final String BY_ID =
      COLUMNS + "WHERE id = ? AND state IN ('SETTLING', 'SETTLED', 'FAILED', 'IN_DOUBT')";

  private static final String OF_KEY = COLUMNS + "WHERE network = ? AND payer = ? AND nonce = ?";

  private static final String BY_KEY =
      OF_KEY + " AND state IN ('SETTLING', 'SETTLED', 'FAILED', 'IN_DOUBT')";

  private static final String BY_ENVELOPE =
      OF_KEY
          + " AND envelope_hash = ? AND state IN ('CLAIMED', 'SETTLING', 'SETTLED', 'FAILED', 'IN_DOUBT')";

  private static final String HISTORY =
      """
      SELECT EXISTS (SELECT 1 FROM payment
          WHERE network = ? AND payer = ? AND state = 'SETTLED' AND path <> ?)
          OR EXISTS (SELECT 1 FROM channel WHERE network = ? AND payer = ? AND charged > 0) AS paid,
        EXISTS (SELECT 1 FROM book_account
          WHERE network = ? AND owner = ? AND kind = 'PAYER' AND lost > 0) AS failed
      """;

  /** Binds what a payment is looked for by. */
  private interface Binding {
    void bind(PreparedStatement statement) throws SQLException;
  }

  @Override
  public Optional<Purchase> find(UUID id) {
    return find(BY_ID, statement -> statement.setObject(1, id));
  }

  @Override
  public Optional<Purchase> find(PaymentKey key) {
    return find(BY_KEY, statement -> bind(statement, key));
  }

  @Override
  public Optional<Purchase> find(PaymentKey key, String envelopeHash) {
    return find(
        BY_ENVELOPE,
        statement -> {
          bind(statement, key);
          statement.setBytes(4, KeyBytes.hash(envelopeHash));
        });
  }

  /** See {@link dev.octroi.payments.ledger.Ledger#history}. */
  PayerHistory history(String network, String payer) {
    return statements.onConnection(
        connection -> {
          try (PreparedStatement statement = connection.prepareStatement(HISTORY)) {
            byte[] owner = KeyBytes.of(network, payer);
            statement.setString(1, network);
            statement.setBytes(2, owner);
            // What a payer had settled for others may have gone to a wallet of its own.
            statement.setString(3, RequestBinding.SETTLED_FOR_OTHERS);
            statement.setString(4, network);
            statement.setBytes(5, owner);
            statement.setString(6, network);
            statement.setBytes(7, owner);
            try (ResultSet row = statement.executeQuery()) {
              return row.next()
                  ? new PayerHistory(row.getBoolean("paid"), row.getBoolean("failed"))
                  : new PayerHistory(false, false);
            }
          }
        });
  }

  private static void bind(PreparedStatement statement, PaymentKey key) throws SQLException {
    statement.setString(1, key.network());
    statement.setBytes(2, KeyBytes.of(key.network(), key.payer()));
    statement.setBytes(3, KeyBytes.of(key.network(), key.nonce()));
  }

  private Optional<Purchase> find(String sql, Binding binding) {
    return statements.onConnection(
        connection -> {
          try (PreparedStatement statement = connection.prepareStatement(sql)) {
            binding.bind(statement);
            try (ResultSet rows = statement.executeQuery()) {
              return rows.next() ? Optional.of(purchase(rows)) : Optional.empty();
            }
          }
        });
  }

  private static Purchase purchase(ResultSet row) throws SQLException {
    return new Purchase(
        row.getObject("id", UUID.class),
        Rows.key(row),
        HexFormat.of().formatHex(row.getBytes("envelope_hash")),
        PaymentState.valueOf(row.getString("state")),
        row.getLong("charged"),
        row.getString("asset"),
        row.getString("pay_to"),
        row.getString("tx"),
        row.getString("reason"),
        row.getString("method"),
        row.getString("path"),
        row.getString("query"),
        row.getBoolean("delivered"),
        row.getObject("claimed_at", OffsetDateTime.class).toInstant(),
        instant(row, "settled_at"),
        instant(row, "delivered_at"),
        Optional.ofNullable(row.getObject("key_id", UUID.class)));
  }

  private static @Nullable Instant instant(ResultSet row, String column) throws SQLException {
    OffsetDateTime at = row.getObject(column, OffsetDateTime.class);
    return at == null ? null : at.toInstant();
  }
}
