package dev.octroi.payments.ledger.jdbc;

import dev.octroi.payments.NamedStatements;
import dev.octroi.payments.facilitator.PaymentKey;
import dev.octroi.payments.ledger.ClaimRequest.RequestBinding;
import dev.octroi.payments.ledger.KeyBytes;
import dev.octroi.payments.ledger.Ledger.PayerHistory;
import dev.octroi.payments.ledger.PaymentState;
import dev.octroi.payments.ledger.Purchases;
import dev.octroi.payments.ledger.Purchases.Purchase;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HexFormat;
import java.util.Optional;
import java.util.UUID;
import org.jdbi.v3.core.statement.Query;

/** Reads payments on the ledger's writer threads. */
record JdbcPurchases(Statements statements) implements Purchases {

  private static final String COLUMNS =
      """
      SELECT id, network, payer, nonce, envelope_hash, state, COALESCE(charged, amount) AS charged, asset,
        pay_to, tx, reason, method, path, query, delivered, claimed_at, settled_at, delivered_at, key_id
      FROM payment
      """;

  private static final String BY_ID =
      COLUMNS + "WHERE id = :id AND state IN ('SETTLING', 'SETTLED', 'FAILED', 'IN_DOUBT')";

  private static final String OF_KEY =
      COLUMNS + "WHERE network = :network AND payer = :payer AND nonce = :nonce";

  private static final String BY_KEY =
      OF_KEY + " AND state IN ('SETTLING', 'SETTLED', 'FAILED', 'IN_DOUBT')";

  private static final String BY_ENVELOPE =
      OF_KEY
          + " AND envelope_hash = :envelope AND state IN ('CLAIMED', 'SETTLING', 'SETTLED', 'FAILED', 'IN_DOUBT')";

  private static final String HISTORY =
      """
      SELECT EXISTS (SELECT 1 FROM payment
          WHERE network = :network AND payer = :payer AND state = 'SETTLED' AND path <> :others)
          OR EXISTS (SELECT 1 FROM channel WHERE network = :network AND payer = :payer AND charged > 0) AS paid,
        EXISTS (SELECT 1 FROM book_account
          WHERE network = :network AND owner = :payer AND kind = 'PAYER' AND lost > 0) AS failed
      """;

  @Override
  public Optional<Purchase> find(UUID id) {
    return statements.run(handle -> first(handle.createQuery(BY_ID).bind("id", id)));
  }

  @Override
  public Optional<Purchase> find(PaymentKey key) {
    return statements.run(handle -> first(of(handle.createQuery(BY_KEY), key)));
  }

  @Override
  public Optional<Purchase> find(PaymentKey key, String envelopeHash) {
    byte[] envelope = KeyBytes.hash(envelopeHash);
    return statements.run(
        handle -> first(of(handle.createQuery(BY_ENVELOPE), key).bind("envelope", envelope)));
  }

  /** See {@link dev.octroi.payments.ledger.Ledger#history}. */
  PayerHistory history(String network, String payer) {
    return statements.run(
        handle ->
            handle
                .createQuery(HISTORY)
                .bind("network", network)
                .bind("payer", KeyBytes.of(network, payer))
                // What a payer had settled for others may have gone to a wallet of its own.
                .bind("others", RequestBinding.SETTLED_FOR_OTHERS)
                .map(
                    (row, context) ->
                        new PayerHistory(row.getBoolean("paid"), row.getBoolean("failed")))
                .one());
  }

  private static Query of(Query query, PaymentKey key) {
    return query
        .bind("network", key.network())
        .bind("payer", KeyBytes.of(key.network(), key.payer()))
        .bind("nonce", KeyBytes.of(key.network(), key.nonce()));
  }

  private static Optional<Purchase> first(Query query) {
    return query.map((row, context) -> purchase(row)).findOne();
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
        NamedStatements.instant(row, "claimed_at").orElseThrow(),
        NamedStatements.instant(row, "settled_at").orElse(null),
        NamedStatements.instant(row, "delivered_at").orElse(null),
        Optional.ofNullable(row.getObject("key_id", UUID.class)));
  }
}
