package dev.octroi.api.asset;

import dev.octroi.api.asset.Assets.Asset;
import dev.octroi.payments.NamedStatements;
import dev.octroi.payments.ledger.LedgerUnavailable;
import dev.octroi.payments.ledger.jdbc.SingleWriter;
import dev.octroi.payments.ledger.jdbc.Statements;
import java.io.IOException;
import java.io.InputStream;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.JdbiException;

/**
 * Files in the ledger's database, H2 or PostgreSQL, in pieces: none is written or read in a
 * transaction of its own that is long, or held in memory as a whole. Thread-safe.
 */
public final class DatabaseAssets implements AssetStore {

  static final int PIECE = 256 << 10;

  /** A node that has been writing a file for so long has died. */
  private static final Duration LONGEST_WRITE = Duration.ofHours(1);

  private static final int FILES_A_RUN = 100;
  private static final int PIECES_A_STATEMENT = 16;

  private static final String BEGIN =
      """
      INSERT INTO asset (id, kind, length, created_at, expires_at, complete)
      VALUES (:id, :kind, :length, :created, :expires, FALSE)
      """;

  private static final String DEAD =
      """
      SELECT id, length FROM asset
      WHERE expires_at <= :now OR (created_at < :abandoned AND NOT complete) LIMIT :most
      """;

  private final Statements writing;
  private final Jdbi reading;

  /**
   * @param writing on whose threads files are written, a piece at a time
   */
  public DatabaseAssets(Statements writing, DataSource database) {
    this.writing = writing;
    this.reading = NamedStatements.of(SingleWriter.reading(database));
  }

  @Override
  public void keep(Asset asset, AssetContent content) throws IOException {
    try (InputStream in = new Part(content.open(), content.length())) {
      write(handle -> begin(handle, asset));
      int number = 0;
      for (byte[] piece = in.readNBytes(PIECE); piece.length > 0; piece = in.readNBytes(PIECE)) {
        byte[] bytes = piece;
        int place = number++;
        write(handle -> insert(handle, asset.id(), place, bytes));
      }
      write(
          handle ->
              handle
                  .createUpdate("UPDATE asset SET complete = TRUE WHERE id = :id")
                  .bind("id", asset.id())
                  .execute());
    }
  }

  /** Statements may run again after a commit of unknown outcome, so that each replaces itself. */
  private static int begin(Handle handle, Asset asset) {
    handle.createUpdate("DELETE FROM asset WHERE id = :id").bind("id", asset.id()).execute();
    return handle
        .createUpdate(BEGIN)
        .bind("id", asset.id())
        .bind("kind", asset.type().extension())
        .bind("length", asset.length())
        .bind("created", asset.created())
        .bind("expires", asset.expires())
        .execute();
  }

  private static int insert(Handle handle, String id, int number, byte[] piece) {
    delete(handle, id, number, number + 1);
    return handle
        .createUpdate("INSERT INTO asset_piece (asset, place, bytes) VALUES (:id, :place, :bytes)")
        .bind("id", id)
        .bind("place", number)
        .bind("bytes", piece)
        .execute();
  }

  private static int delete(Handle handle, String id, int from, int until) {
    return handle
        .createUpdate(
            "DELETE FROM asset_piece WHERE asset = :id AND place >= :from AND place < :until")
        .bind("id", id)
        .bind("from", from)
        .bind("until", until)
        .execute();
  }

  @Override
  public Optional<Asset> find(String id) throws IOException {
    return read(
        handle ->
            handle
                .createQuery("SELECT * FROM asset WHERE id = :id AND complete")
                .bind("id", id)
                .map((row, context) -> asset(row))
                .findOne());
  }

  @Override
  public InputStream open(Asset asset, long from) throws IOException {
    int first = (int) (from / PIECE);
    return new PieceStream(place -> piece(asset.id(), place), first, (int) (from % PIECE));
  }

  private Optional<byte[]> piece(String id, int place) throws IOException {
    return read(
        handle ->
            handle
                .createQuery("SELECT bytes FROM asset_piece WHERE asset = :id AND place = :place")
                .bind("id", id)
                .bind("place", place)
                .mapTo(byte[].class)
                .findOne());
  }

  @Override
  public int expire(Instant now) throws IOException {
    List<Dead> dead =
        read(
            handle ->
                handle
                    .createQuery(DEAD)
                    .bind("now", now)
                    .bind("abandoned", now.minus(LONGEST_WRITE))
                    .bind("most", FILES_A_RUN)
                    .map((row, context) -> new Dead(row.getString("id"), row.getLong("length")))
                    .list());
    for (Dead file : dead) {
      for (int place = 0; (long) place * PIECE < file.length(); place += PIECES_A_STATEMENT) {
        int from = place;
        write(handle -> delete(handle, file.id(), from, from + PIECES_A_STATEMENT));
      }
      write(
          handle ->
              handle
                  .createUpdate("DELETE FROM asset WHERE id = :id")
                  .bind("id", file.id())
                  .execute());
    }
    return dead.size();
  }

  private record Dead(String id, long length) {}

  private static Asset asset(ResultSet row) throws SQLException {
    return new Asset(
        row.getString("id"),
        AssetType.ofExtension(row.getString("kind")),
        row.getLong("length"),
        NamedStatements.instant(row, "created_at").orElseThrow(),
        NamedStatements.instant(row, "expires_at").orElseThrow());
  }

  private void write(Statements.Body<Integer> statements) throws IOException {
    try {
      writing.run(statements);
    } catch (LedgerUnavailable e) {
      throw new IOException("the database does not take the file", e);
    }
  }

  private <T> T read(Reading<T> query) throws IOException {
    try {
      return reading.withHandle(query::run);
    } catch (JdbiException e) {
      throw new IOException("the database does not give the file", e);
    }
  }

  private interface Reading<T> {
    T run(Handle handle);
  }

  /**
   * Reads pieces one after the other, each when it is wanted: a slow reader holds no connection.
   */
  private static final class PieceStream extends InputStream {

    private final Pieces pieces;
    private int next;
    private int position;
    private byte[] current = new byte[0];

    /** Where the pieces come from. */
    @FunctionalInterface
    interface Pieces {
      Optional<byte[]> at(int place) throws IOException;
    }

    /**
     * @param first the piece to begin with
     * @param skipped bytes of it to leave out
     */
    PieceStream(Pieces pieces, int first, int skipped) throws IOException {
      this.pieces = pieces;
      this.next = first;
      if (skipped > 0 && advance()) {
        position = skipped;
      }
    }

    @Override
    public int read() throws IOException {
      return position < current.length || advance() ? current[position++] & 0xFF : -1;
    }

    @Override
    public int read(byte[] buffer, int offset, int length) throws IOException {
      if (length == 0) {
        return 0;
      }
      if (position >= current.length && !advance()) {
        return -1;
      }
      int read = Math.min(length, current.length - position);
      System.arraycopy(current, position, buffer, offset, read);
      position += read;
      return read;
    }

    private boolean advance() throws IOException {
      Optional<byte[]> piece = pieces.at(next++);
      current = piece.orElseGet(() -> new byte[0]);
      position = 0;
      return piece.isPresent();
    }
  }
}
