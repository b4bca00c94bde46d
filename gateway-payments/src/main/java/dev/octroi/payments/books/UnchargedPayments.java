package dev.octroi.payments.books;

import dev.octroi.payments.NamedStatements;
import dev.octroi.payments.ledger.KeyBytes;
import dev.octroi.payments.ledger.LedgerUnavailable;
import dev.octroi.payments.ledger.jdbc.LedgerReads;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import javax.sql.DataSource;
import org.jdbi.v3.core.mapper.RowMapper;
import org.jdbi.v3.core.statement.Query;
import org.jspecify.annotations.Nullable;

/**
 * Payments that failed or were given back because their call failed, for the operator: why, and of
 * whom. A payment that was sent again and settled is none of them any more. Reads the payments of
 * the period; changes nothing. Thread-safe; throws {@link LedgerUnavailable} after ten seconds.
 */
public final class UnchargedPayments {

  /** A release without a failure, such as that of a call that became a job, is left out. */
  private static final String WHERE =
      """
       FROM payment WHERE claimed_at >= :from AND claimed_at < :to
        AND (state = 'FAILED' OR (state = 'RELEASED' AND (answer_status >= 400
          OR (answer_status IS NULL AND reason IS NOT NULL AND reason NOT IN ('not_wanted', 'nothing_used')))))
      """;

  private static final String REASONS =
      """
      SELECT scope, state, answer_status, reason, upstream, COUNT(*) AS payments, MAX(claimed_at) AS latest,
        MAX(CAST(id AS VARCHAR(36))) AS example
      """
          + WHERE
          + "%s GROUP BY scope, state, answer_status, reason, upstream"
          + " ORDER BY payments DESC, latest DESC LIMIT :most";

  private static final String PAYERS =
      "SELECT network, payer, COUNT(*) AS payments, MAX(claimed_at) AS latest"
          + WHERE
          + "%s GROUP BY network, payer ORDER BY payments DESC, latest DESC LIMIT :most";

  private final LedgerReads database;

  public UnchargedPayments(DataSource database) {
    this.database = new LedgerReads(database);
  }

  /**
   * Why payments of a group were not charged.
   *
   * @param group empty where the host names none
   * @param state RELEASED or FAILED
   * @param status HTTP status of the answers; null where there is none
   * @param reason null where none is known
   * @param upstream the upstream that was asked last; null where none was
   * @param latest when the last of them was claimed
   * @param example the id of one of them
   */
  public record Reason(
      String group,
      String state,
      @Nullable Integer status,
      @Nullable String reason,
      @Nullable String upstream,
      long payments,
      Instant latest,
      UUID example) {}

  /**
   * A payer of payments that were not charged.
   *
   * @param payer address
   * @param latest when the last of them was claimed
   */
  public record FailedPayer(String network, String payer, long payments, Instant latest) {}

  /**
   * The reasons of a period, the most frequent first.
   *
   * @param group only those of a group
   * @param most how many, at most
   */
  public List<Reason> reasons(Period period, Optional<String> group, int most) {
    return read(REASONS, period, group, most, (row, context) -> reason(row));
  }

  /** The payers of a period, those with the most such payments first. */
  public List<FailedPayer> payers(Period period, Optional<String> group, int most) {
    return read(PAYERS, period, group, most, (row, context) -> payer(row));
  }

  private <T> List<T> read(
      String sql, Period period, Optional<String> group, int most, RowMapper<T> mapper) {
    String whole = sql.formatted(group.isPresent() ? " AND scope = :scope" : "");
    return database.read(
        handle -> {
          Query query =
              handle
                  .createQuery(whole)
                  .bind("from", period.from())
                  .bind("to", period.to())
                  .bind("most", most);
          group.ifPresent(word -> query.bind("scope", word));
          return query.map(mapper).list();
        });
  }

  private static Reason reason(ResultSet row) throws SQLException {
    return new Reason(
        Objects.requireNonNullElse(row.getString("scope"), ""),
        row.getString("state"),
        row.getObject("answer_status", Integer.class),
        row.getString("reason"),
        row.getString("upstream"),
        row.getLong("payments"),
        NamedStatements.instant(row, "latest").orElseThrow(),
        UUID.fromString(row.getString("example")));
  }

  private static FailedPayer payer(ResultSet row) throws SQLException {
    return new FailedPayer(
        row.getString("network"),
        KeyBytes.text(row, "payer"),
        row.getLong("payments"),
        NamedStatements.instant(row, "latest").orElseThrow());
  }
}
