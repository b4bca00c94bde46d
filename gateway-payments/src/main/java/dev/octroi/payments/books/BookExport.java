package dev.octroi.payments.books;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.SequenceWriter;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.dataformat.csv.CsvMapper;
import dev.octroi.payments.NamedStatements;
import dev.octroi.payments.Usd;
import dev.octroi.payments.books.Movement.MovementKind;
import dev.octroi.payments.ledger.KeyBytes;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import javax.sql.DataSource;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.result.ResultIterable;
import org.jdbi.v3.core.result.ResultIterator;
import org.jdbi.v3.core.statement.Query;
import org.jdbi.v3.core.transaction.TransactionIsolationLevel;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes the journal of a period for bookkeepers, line by line. Thread-safe. */
public final class BookExport {

  private static final Logger LOG = LoggerFactory.getLogger(BookExport.class);

  private static final int FETCH = 500;

  /** It holds a connection while it reads, and a file until its reader has it. */
  private static final int MOST_AT_ONCE = 1;

  private static final String LINES =
      """
      SELECT j.at, j.amount, j.payment_id, d.kind AS debit_kind, c.kind AS credit_kind,
        d.network, d.asset, d.owner AS debit_owner, c.owner AS credit_owner, p.tx, p.method, p.path
      FROM journal j
      JOIN book_account d ON d.id = j.debit JOIN book_account c ON c.id = j.credit
      LEFT JOIN payment p ON p.id = j.payment_id
      WHERE j.at >= :from AND j.at < :to
      ORDER BY j.at, j.id
      """;

  /** The kind of a line that carries a balance over, and its other side. */
  private static final String OPENING = "opening";

  private static final String OPENINGS =
      """
      SELECT a.network, a.asset, a.owner, o.amount
      FROM journal_opening o JOIN book_account a ON a.id = o.account
      WHERE o.amount <> 0 ORDER BY a.kind, a.id
      """;

  /** Looks into the journal as well, so that no month of it is dropped while the caller reads. */
  private static final String CLOSED =
      """
      SELECT closed_before, EXISTS (SELECT 1 FROM journal) AS has_lines
      FROM journal_closing WHERE id = 1
      """;

  /** What nothing was closed before stands at the beginning of time. */
  private static final Instant NEVER = Instant.EPOCH;

  /**
   * How a transaction reads one state of all tables throughout, while payments and closings go on.
   * PostgreSQL does so from REPEATABLE READ on, and asks no more of a transaction that only reads.
   * H2 takes a table's state there when the table is first read: a payment whose doubt ends in
   * between stands in doubt and in no list of doubts.
   */
  static final TransactionIsolationLevel ONE_STATE = TransactionIsolationLevel.SERIALIZABLE;

  /** What a file of movements looks like. */
  public enum Format {
    /** RFC 4180 with a header line; no cell begins a formula. */
    CSV("text/csv"),
    /** One JSON object a line. */
    JSONL("application/x-ndjson");

    private final String mediaType;

    Format(String mediaType) {
      this.mediaType = mediaType;
    }

    public String mediaType() {
      return mediaType;
    }
  }

  private static final ObjectWriter CSV = csv();

  private static final ObjectWriter JSONL =
      JsonMapper.builder()
          .disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET)
          .build()
          .writerFor(Movement.class)
          .withRootValueSeparator("\n");

  private final Jdbi database;
  private final Semaphore turns = new Semaphore(MOST_AT_ONCE);

  public BookExport(DataSource database) {
    this.database = BookReads.of(database);
  }

  /** Before which moment no single movements are told; empty if the books are open throughout. */
  public Optional<Instant> closedBefore() {
    return database.withHandle(BookExport::closedBefore);
  }

  /**
   * Writes all movements of a period, the oldest first. A period that begins before the books were
   * closed begins with the balances of that moment, a line an account. The stream stays open.
   *
   * <p>A caller may take its time to read: so the lines go to a file first, and no transaction is
   * open while the caller reads. They go to the caller at once where no file can be made.
   *
   * @return false, and nothing is written, where another export is being written
   * @throws IOException if the stream takes no more, or the disk is full
   */
  public boolean write(Period period, Format format, OutputStream out) throws IOException {
    if (!turns.tryAcquire()) {
      return false;
    }
    try {
      export(period, format, out);
      return true;
    } finally {
      turns.release();
    }
  }

  private void export(Period period, Format format, OutputStream out) throws IOException {
    Path file;
    try {
      file = Files.createTempFile("octroi-books", null);
    } catch (IOException e) {
      LOG.warn("No temporary file can be made for an export of the books", e);
      read(period, format, out);
      return;
    }
    try {
      try (OutputStream lines = Files.newOutputStream(file)) {
        read(period, format, lines);
      }
      Files.copy(file, out);
    } finally {
      Files.delete(file);
    }
  }

  private void read(Period period, Format format, OutputStream out) throws IOException {
    try {
      database.useTransaction(ONE_STATE, handle -> write(handle, period, format, out));
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  private static void write(Handle handle, Period period, Format format, OutputStream out) {
    Optional<Instant> opening = closedBefore(handle).filter(period.from()::isBefore);
    // What is still to be carried over belongs to the balances, whatever its time.
    Instant from = opening.isPresent() ? Period.ALL.from() : period.from();
    try (SequenceWriter writer = (format == Format.CSV ? CSV : JSONL).writeValues(out)) {
      if (opening.isPresent()) {
        String at = opening.get().toString();
        writeAll(
            writer,
            handle
                .createQuery(OPENINGS)
                .setFetchSize(FETCH)
                .map((row, context) -> opening(row, at)));
      }
      Query lines =
          handle.createQuery(LINES).bind("from", from).bind("to", period.to()).setFetchSize(FETCH);
      writeAll(writer, lines.map((row, context) -> movement(row, format)));
      out.flush();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void writeAll(SequenceWriter writer, ResultIterable<Movement> movements)
      throws IOException {
    try (ResultIterator<Movement> each = movements.iterator()) {
      while (each.hasNext()) {
        writer.write(each.next());
      }
    }
  }

  /**
   * The balance of an account when the books were closed, as a line against {@code opening}: the
   * account stands in {@code to} if it is above zero, in {@code from} if it is below, so that
   * adding up all lines of an account gives its balance.
   */
  private static Movement opening(ResultSet row, String at) throws SQLException {
    String owner = KeyBytes.text(row, "owner");
    long amount = row.getLong("amount");
    return new Movement(
        at,
        OPENING,
        row.getString("network"),
        row.getString("asset"),
        amount < 0 ? owner : OPENING,
        amount < 0 ? OPENING : owner,
        Math.abs(amount),
        new Usd(Math.abs(amount)).dollars(),
        null,
        null,
        null,
        null);
  }

  private static Movement movement(ResultSet row, Format format) throws SQLException {
    long amount = row.getLong("amount");
    String transaction = row.getString("tx");
    String path = row.getString("path");
    return new Movement(
        NamedStatements.instant(row, "at").orElseThrow().toString(),
        MovementKind.of(row.getString("debit_kind"), row.getString("credit_kind")).word(),
        row.getString("network"),
        row.getString("asset"),
        KeyBytes.text(row, "debit_owner"),
        KeyBytes.text(row, "credit_owner"),
        amount,
        new Usd(amount).dollars(),
        row.getString("payment_id"),
        format == Format.CSV ? harmless(transaction) : transaction,
        row.getString("method"),
        format == Format.CSV ? harmless(path) : path);
  }

  /**
   * A spreadsheet takes a cell that begins like a formula for one; callers choose their paths, and
   * a remote facilitator its transactions.
   */
  private static @Nullable String harmless(@Nullable String cell) {
    return cell == null || cell.isEmpty() || "=+-@\t\r".indexOf(cell.charAt(0)) < 0
        ? cell
        : "'" + cell;
  }

  private static ObjectWriter csv() {
    CsvMapper mapper = CsvMapper.builder().disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET).build();
    return mapper
        .writerFor(Movement.class)
        .with(mapper.schemaFor(Movement.class).withHeader().withLineSeparator("\r\n"));
  }

  /**
   * Before which moment the books are closed, as this transaction sees it: single movements are no
   * longer told, balances are. Empty if nothing was ever closed.
   */
  static Optional<Instant> closedBefore(Handle handle) {
    Instant moment = handle.createQuery(CLOSED).mapTo(Instant.class).one();
    return moment.equals(NEVER) ? Optional.empty() : Optional.of(moment);
  }
}
