package dev.octroi.payments.ledger.jdbc;

import dev.octroi.payments.NamedStatements;
import dev.octroi.payments.ledger.LedgerUnavailable;
import dev.octroi.payments.ledger.PaymentState;
import java.time.Instant;
import java.util.List;
import javax.sql.DataSource;

/**
 * How many payments are unresolved, and since when, and what channels owe: for figures, read beside
 * the ledger's own statements from few rows. Thread-safe.
 */
public final class UnresolvedFigures {

  private static final String COUNTED =
      """
      SELECT p.state, count(*) AS many, min(d.since) AS oldest
      FROM doubt d JOIN payment p ON p.id = d.payment_id
      GROUP BY p.state
      """;

  private static final String OWED =
      """
      SELECT count(*) AS many, COALESCE(SUM(charged - claimed), 0) AS owed
      FROM channel WHERE unclaimed_since IS NOT NULL
      """;

  private final LedgerReads database;

  /**
   * Those of one state.
   *
   * @param state {@link PaymentState#IN_DOUBT}, or {@link PaymentState#SETTLING} for those whose
   *     transaction is on its way
   * @param oldest when the first of them became so
   */
  public record Figure(PaymentState state, long count, Instant oldest) {}

  /**
   * What is not claimed yet.
   *
   * @param channels how many owe something
   * @param micros what they owe in all, in millionths of a dollar
   */
  public record OwedByChannels(long channels, long micros) {}

  public UnresolvedFigures(DataSource database) {
    this.database = new LedgerReads(database);
  }

  /**
   * Counts; a state of which there are none is left out.
   *
   * @throws LedgerUnavailable if the database does not answer within ten seconds
   */
  public List<Figure> now() {
    return database.read(
        handle ->
            handle
                .createQuery(COUNTED)
                .map(
                    (row, context) ->
                        new Figure(
                            PaymentState.valueOf(row.getString("state")),
                            row.getLong("many"),
                            NamedStatements.instant(row, "oldest").orElseThrow()))
                .list());
  }

  /**
   * Adds up what channels on chains owe.
   *
   * @throws LedgerUnavailable if the database does not answer within ten seconds
   */
  public OwedByChannels owed() {
    return database.read(
        handle ->
            handle
                .createQuery(OWED)
                .map((row, context) -> new OwedByChannels(row.getLong("many"), row.getLong("owed")))
                .one());
  }
}
