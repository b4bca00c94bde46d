package dev.octroi.payments.ledger.jdbc;

import dev.octroi.payments.ledger.LedgerUnavailable;
import dev.octroi.payments.ledger.PaymentState;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import javax.sql.DataSource;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.JdbiException;

/**
 * How many payments are unresolved, and since when: for figures, read beside the ledger's own
 * statements from a small table. Thread-safe.
 */
public final class UnresolvedFigures {

  private static final int TIMEOUT_SECONDS = 10;

  private static final String COUNTED =
      """
      SELECT p.state, count(*) AS many, min(d.since) AS oldest
      FROM doubt d JOIN payment p ON p.id = d.payment_id
      GROUP BY p.state
      """;

  private final Jdbi database;

  /**
   * Those of one state.
   *
   * @param state {@link PaymentState#IN_DOUBT}, or {@link PaymentState#SETTLING} for those whose
   *     transaction is on its way
   * @param oldest when the first of them became so
   */
  public record Figure(PaymentState state, long count, Instant oldest) {}

  public UnresolvedFigures(DataSource database) {
    this.database = Jdbi.create(SingleWriter.reading(database));
  }

  /**
   * Counts; a state of which there are none is left out.
   *
   * @throws LedgerUnavailable if the database does not answer within ten seconds
   */
  public List<Figure> now() {
    try {
      return database.withHandle(
          handle ->
              handle
                  .createQuery(COUNTED)
                  .setQueryTimeout(TIMEOUT_SECONDS)
                  .map(
                      (row, context) ->
                          new Figure(
                              PaymentState.valueOf(row.getString("state")),
                              row.getLong("many"),
                              row.getObject("oldest", OffsetDateTime.class).toInstant()))
                  .list());
    } catch (JdbiException e) {
      throw new LedgerUnavailable("the ledger's database cannot be read", e);
    }
  }
}
