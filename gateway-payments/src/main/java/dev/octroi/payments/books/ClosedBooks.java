package dev.octroi.payments.books;

import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Optional;
import org.jdbi.v3.core.Handle;

/** Before which moment the books are closed: single movements are no longer told, balances are. */
final class ClosedBooks {

  /** What nothing was closed before stands at the beginning of time. */
  private static final Instant NEVER = Instant.EPOCH;

  /** Looks into the journal as well, so that no month of it is dropped while the caller reads. */
  private static final String READ =
      """
      SELECT closed_before, EXISTS (SELECT 1 FROM journal) AS has_lines
      FROM journal_closing WHERE id = 1
      """;

  private ClosedBooks() {}

  /** The moment as this transaction sees it; empty if nothing was ever closed. */
  static Optional<Instant> before(Handle handle) {
    Instant moment =
        handle.createQuery(READ).mapTo(OffsetDateTime.class).map(OffsetDateTime::toInstant).one();
    return moment.equals(NEVER) ? Optional.empty() : Optional.of(moment);
  }
}
