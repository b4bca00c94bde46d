package dev.octroi.payments.ledger.jdbc;

import dev.octroi.payments.NamedStatements;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.statement.PreparedBatch;
import org.jdbi.v3.core.transaction.TransactionIsolationLevel;

/**
 * Closes the books of months that are older than records are kept: their lines are summed up to an
 * opening balance of each account and deleted, so that the journal does not grow for ever while
 * every balance stays what it was.
 *
 * <p>A step moves a bounded number of lines in one transaction, so that no line is ever in both or
 * in neither. Nodes take turns by a row's lock. Thread-safe.
 */
public final class JournalClosing implements Runnable {

  /** On H2 no other transaction writes meanwhile. */
  private static final int CHUNK = 500;

  private static final Duration RUN = Duration.ofSeconds(20);

  private static final String LOCK =
      "SELECT closed_before FROM journal_closing WHERE id = 1 FOR UPDATE";

  private static final String CLOSE =
      "UPDATE journal_closing SET closed_before = :before WHERE id = 1";

  private static final String ADD =
      "UPDATE journal_opening SET amount = amount + :amount WHERE account = :account";

  private static final String OPEN =
      "INSERT INTO journal_opening (account, amount) VALUES (:account, :amount)";

  private static final String DELETE = "DELETE FROM journal WHERE at = :at AND id = :id";

  private final Jdbi database;
  private final JournalStorage storage;
  private final Duration kept;
  private final Clock clock;
  private final BooleanSupplier alive;
  private final int chunk;

  /** A line as far as it counts for the balances. */
  private record Line(long id, Instant at, long debit, long credit, long amount) {}

  /**
   * Makes a closing.
   *
   * @param alive whether this node lives and its clock is right: by a wrong one all months are old
   */
  JournalClosing(
      Jdbi database, JournalStorage storage, Duration kept, Clock clock, BooleanSupplier alive) {
    this(database, storage, kept, clock, alive, CHUNK);
  }

  /** With steps of another size. */
  JournalClosing(
      Jdbi database,
      JournalStorage storage,
      Duration kept,
      Clock clock,
      BooleanSupplier alive,
      int chunk) {
    this.database = database;
    this.storage = storage;
    this.kept = kept;
    this.clock = clock;
    this.alive = alive;
    this.chunk = chunk;
  }

  /**
   * Carries over what it can in 20 seconds; what is left is for the next run. A node that has
   * missed its heartbeat, or whose clock differs from the database's, carries over nothing.
   */
  @Override
  public void run() {
    Instant before = firstOfMonth(clock.instant().minus(kept));
    Instant end = clock.instant().plus(RUN);
    while (alive.getAsBoolean() && clock.instant().isBefore(end)) {
      if (carry(before) == 0) {
        // In its own transaction: dropping a month waits for readers of the journal.
        database.useTransaction(handle -> storage.clear(handle, before));
        return;
      }
    }
  }

  private static Instant firstOfMonth(Instant moment) {
    return moment
        .atOffset(ZoneOffset.UTC)
        .truncatedTo(ChronoUnit.DAYS)
        .withDayOfMonth(1)
        .toInstant();
  }

  /** One step; the result is how many lines it moved. */
  private int carry(Instant before) {
    return database.inTransaction(
        TransactionIsolationLevel.READ_COMMITTED, handle -> carry(handle, before));
  }

  private int carry(Handle handle, Instant before) {
    Instant closed = handle.createQuery(LOCK).mapTo(Instant.class).one();
    List<Line> lines = oldest(handle, before);
    if (lines.isEmpty()) {
      return 0;
    }
    if (closed.isBefore(before)) {
      handle.createUpdate(CLOSE).bind("before", before).execute();
    }
    add(handle, sums(lines));
    delete(handle, lines);
    return lines.size();
  }

  private List<Line> oldest(Handle handle, Instant before) {
    return handle
        .createQuery(storage.oldestLines())
        .bind("before", before)
        .bind("most", chunk)
        .map((row, context) -> line(row))
        .list();
  }

  private static Line line(ResultSet row) throws SQLException {
    return new Line(
        row.getLong("id"),
        NamedStatements.instant(row, "at").orElseThrow(),
        row.getLong("debit"),
        row.getLong("credit"),
        row.getLong("amount"));
  }

  private static SortedMap<Long, Long> sums(List<Line> lines) {
    SortedMap<Long, Long> sums = new TreeMap<>();
    for (Line line : lines) {
      sums.merge(line.credit(), line.amount(), Math::addExact);
      sums.merge(line.debit(), -line.amount(), Math::addExact);
    }
    return sums;
  }

  private static void add(Handle handle, SortedMap<Long, Long> sums) {
    List<Map.Entry<Long, Long>> accounts = List.copyOf(sums.entrySet());
    int[] known = write(handle, ADD, accounts);
    List<Map.Entry<Long, Long>> fresh = new ArrayList<>();
    for (int i = 0; i < known.length; i++) {
      if (known[i] == 0) {
        fresh.add(accounts.get(i));
      }
    }
    write(handle, OPEN, fresh);
  }

  private static int[] write(Handle handle, String sql, List<Map.Entry<Long, Long>> accounts) {
    PreparedBatch batch = handle.prepareBatch(sql);
    accounts.forEach(
        entry -> batch.bind("account", entry.getKey()).bind("amount", entry.getValue()).add());
    return batch.execute();
  }

  private static void delete(Handle handle, List<Line> lines) {
    PreparedBatch batch = handle.prepareBatch(DELETE);
    lines.forEach(line -> batch.bind("at", line.at()).bind("id", line.id()).add());
    for (int deleted : batch.execute()) {
      if (deleted != 1) {
        throw new IllegalStateException("a line that was carried over could not be deleted");
      }
    }
  }

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

    /**
     * Prepares this month and those that begin soon, in the caller's transaction. A month that is
     * made waits for readers of the journal, and all payments wait behind it: so it gives up soon.
     */
    void make(Handle handle, Instant now) {
      if (this == POSTGRESQL) {
        handle.execute("SET LOCAL lock_timeout = '200ms'");
        handle.select("SELECT journal_months(?)", Rows.utc(now).toLocalDate()).mapToMap().list();
      }
    }

    /** Gives up the months before a moment, as far as no line is left in them. */
    void clear(Handle handle, Instant before) {
      if (this == POSTGRESQL) {
        handle.select("SELECT journal_drop_months(?)", before).mapToMap().list();
      }
    }
  }
}
