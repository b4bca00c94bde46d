package dev.octroi.payments.books;

import dev.octroi.payments.ledger.KeyBytes;
import dev.octroi.payments.ledger.Payout;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.ZoneOffset;
import java.util.List;
import java.util.UUID;
import org.jdbi.v3.core.Jdbi;

/**
 * Refunds that a treasury has paid, as the payments that they are: from the treasury to the payer.
 * Those that the operator paid by hand are the operator's word.
 */
record PaidRefunds(Jdbi database) {

  private static final String PAGE =
      """
      SELECT r.*, p.network, p.payer, p.asset FROM refund r JOIN payment p ON p.id = r.payment_id
      WHERE r.state = 'PAID' AND r.treasury IS NOT NULL AND r.closed_at >= :from AND r.closed_at < :to
        AND r.id > :after AND p.network = :network
      ORDER BY r.id LIMIT :page
      """;

  List<ClosedPayment> page(String network, Period period, UUID after, int most) {
    return database.withHandle(
        handle ->
            handle
                .createQuery(PAGE)
                .bind("from", period.from().atOffset(ZoneOffset.UTC))
                .bind("to", period.to().atOffset(ZoneOffset.UTC))
                .bind("network", network)
                .bind("after", after)
                .bind("page", most)
                .map((row, context) -> refund(row))
                .list());
  }

  private static ClosedPayment refund(ResultSet row) throws SQLException {
    UUID id = row.getObject("id", UUID.class);
    String network = row.getString("network");
    return new ClosedPayment(
        id,
        row.getInt("attempt"),
        network,
        row.getString("treasury"),
        KeyBytes.text(network, Payout.nonce(id)),
        row.getString("asset"),
        KeyBytes.text(network, row.getBytes("payer")),
        row.getLong("amount"),
        row.getTimestamp("valid_before").toInstant(),
        row.getTimestamp("closed_at").toInstant(),
        row.getString("tx"));
  }
}
