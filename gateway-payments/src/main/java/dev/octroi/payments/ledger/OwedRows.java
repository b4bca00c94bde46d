package dev.octroi.payments.ledger;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Collection;

/** Notes what payers owe, inside the transaction that settles their calls on account. */
final class OwedRows {

  private static final String NOTE =
      """
      INSERT INTO owed (payment_id, key_id, network, payer, asset, pay_to, amount, since)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?)
      """;

  private OwedRows() {}

  static void note(Connection connection, Collection<AppliedTransition> owed, Instant now)
      throws SQLException {
    if (owed.isEmpty()) {
      return;
    }
    try (PreparedStatement note = connection.prepareStatement(NOTE)) {
      for (AppliedTransition payment : owed) {
        AccountKey payer = payment.payer();
        note.setObject(1, payment.id());
        note.setObject(2, payment.key());
        note.setString(3, payer.network());
        note.setBytes(4, KeyBytes.of(payer.network(), payer.owner()));
        note.setString(5, payer.asset());
        note.setString(6, payment.payTo());
        note.setLong(7, payment.charged());
        note.setObject(8, Rows.utc(now));
        note.addBatch();
      }
      note.executeBatch();
    }
  }
}
