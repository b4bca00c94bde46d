package dev.octroi.payments.books;

import dev.octroi.payments.ledger.KeyBytes;
import dev.octroi.payments.ledger.LedgerUnavailable;
import dev.octroi.payments.ledger.jdbc.LedgerReads;
import java.util.List;
import javax.sql.DataSource;

/**
 * Says which payers had answers that they did not pay for, as the journal's losses say. Reads the
 * accounts of all payers. Thread-safe; throws {@link LedgerUnavailable} after ten seconds at most.
 */
public final class PayerLosses {

  private static final String LARGEST =
      """
      SELECT network, owner, asset, lost FROM book_account WHERE kind = 'PAYER' AND lost > 0
      ORDER BY lost DESC, id LIMIT :most
      """;

  private final LedgerReads database;

  public PayerLosses(DataSource database) {
    this.database = new LedgerReads(database);
  }

  /**
   * What a payer did not pay.
   *
   * @param payer an address, or a channel's id
   * @param lost millionths of a dollar, above zero
   */
  public record PayerLoss(String network, String payer, String asset, long lost) {}

  /** The largest losses, the largest first. */
  public List<PayerLoss> largest(int most) {
    return database.read(
        handle ->
            handle
                .createQuery(LARGEST)
                .bind("most", most)
                .map(
                    (row, context) ->
                        new PayerLoss(
                            row.getString("network"),
                            KeyBytes.text(row, "owner"),
                            row.getString("asset"),
                            row.getLong("lost")))
                .list());
  }
}
