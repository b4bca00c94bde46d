package dev.octroi.payments.ledger;

import java.time.Instant;
import org.jdbi.v3.core.Handle;

/** Where a database keeps the journal's lines, and how it finds its oldest ones. */
enum JournalStorage {
  /**
   * One table. The oldest lines are found by id, which grows with the time as good as always: an
   * index on the time would cost every payment a write.
   */
  H2(
      """
      SELECT id, at, debit, credit, amount
      FROM (SELECT * FROM journal ORDER BY id LIMIT :most) WHERE at < :before
      """),
  /** A partition a month, made ahead and dropped when it is empty. */
  POSTGRESQL(
      """
      SELECT id, at, debit, credit, amount FROM journal
      WHERE at < :before ORDER BY at, id LIMIT :most
      """);

  private final String oldestLines;

  JournalStorage(String oldestLines) {
    this.oldestLines = oldestLines;
  }

  /** Reads lines {@code :before} a moment, the oldest first, {@code :most}. */
  String oldestLines() {
    return oldestLines;
  }

  /** Prepares the months that begin soon. */
  void make(Handle handle, Instant now) {
    if (this == POSTGRESQL) {
      handle.select("SELECT journal_months(?)", Rows.utc(now).toLocalDate()).mapToMap().list();
    }
  }

  /** Gives up the months before a moment, as far as no line is left in them. */
  void clear(Handle handle, Instant before) {
    if (this == POSTGRESQL) {
      handle.select("SELECT journal_drop_months(?)", Rows.utc(before)).mapToMap().list();
    }
  }
}
