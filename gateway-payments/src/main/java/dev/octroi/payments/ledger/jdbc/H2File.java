package dev.octroi.payments.ledger.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import org.h2.engine.Database;
import org.h2.engine.SessionLocal;
import org.h2.jdbc.JdbcConnection;
import org.h2.mvstore.MVStore;
import org.h2.mvstore.MVStoreException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What H2 leaves to a background thread, which a file with {@code WRITE_DELAY=0} does not have: it
 * syncs what was committed to the disk, and makes room of what is outdated.
 *
 * <p>A commit appends every page that it changed, some 25 KB a sale, and a page that still holds
 * for something keeps its whole chunk of the file. Without this a file grows by gigabytes an hour,
 * and a loss of power takes back what was acknowledged in the last half minute. Only the thread
 * that has the turn, see {@link SingleWriter}, may use it: pages are moved where no commit is being
 * saved.
 */
final class H2File {

  private static final Logger LOG = LoggerFactory.getLogger(H2File.class);

  /** Room that is freed was synced as free, so that it need not wait for H2's 45 seconds. */
  private static final Duration RETENTION = Duration.ofSeconds(2);

  /** Often and little, so that a call waits some milliseconds for it and no longer. */
  private static final Duration PAUSE = Duration.ofMillis(50);

  private static final int WRITTEN_AT_ONCE = 1 << 18;

  /**
   * Percent of the file's chunks that are worth something; more costs more writing than it saves.
   */
  private static final int WORTH = 50;

  /**
   * Of which commit the header of the file tells. H2 writes it every twenty commits or so, and from
   * there follows the commits after it; where one of them is overwritten before the header is, who
   * opens the file after a kill finds an older one. An old version here has it written each time.
   */
  private static final String HEADER_VERSION = "version";

  private final Duration retention;
  private final Duration pause;
  private @Nullable MVStore store;
  private long synced;
  private long compacted;
  private boolean warned;

  H2File() {
    this(RETENTION, PAUSE);
  }

  H2File(Duration retention, Duration pause) {
    this.retention = retention;
    this.pause = pause;
  }

  /**
   * Ends a turn: what it has committed is on the disk when this returns.
   *
   * @throws SQLException if that could not be done, so that what the disk has is not known
   */
  void keep(Connection connection) throws SQLException {
    MVStore found = storeOf(connection);
    if (found == null) {
      warn();
    } else if (found.getFileStore() != null) {
      keep(found);
    }
  }

  private void keep(MVStore found) throws SQLException {
    if (found != store) {
      store = found;
      found.setRetentionTime((int) retention.toMillis());
      synced = -1;
    }
    try {
      sync(found);
      compact(found);
    } catch (MVStoreException e) {
      throw new SQLException("the file of H2 could not be written", e);
    }
  }

  private void sync(MVStore file) {
    long version = file.getCurrentVersion();
    if (version != synced) {
      file.sync();
      file.getStoreHeader().put(HEADER_VERSION, 0L);
      synced = version;
    }
  }

  private void compact(MVStore file) {
    if (System.nanoTime() - compacted >= pause.toNanos()) {
      file.compact(WORTH, WRITTEN_AT_ONCE);
      compacted = System.nanoTime();
    }
  }

  /**
   * Whether the file behind a connection was closed by an error of its disk; what H2 still has of
   * it in memory is let go of then, so that the next connection opens it anew. A database that is
   * in memory only is not let go of: it would come back empty.
   */
  static boolean isClosed(Connection connection) throws SQLException {
    JdbcConnection known = known(connection);
    if (known == null) {
      return false;
    }
    if (known.isClosed()) {
      return true;
    }
    if (!(known.getSession() instanceof SessionLocal local)) {
      return false;
    }
    boolean closed = local.getDatabase().getStore().getMvStore().isClosed();
    if (closed && local.getDatabase().isPersistent()) {
      LOG.error("H2 has closed its file after an error of the disk; it is opened anew");
      letGoOf(local.getDatabase());
    }
    return closed;
  }

  /** A pool finds out from its session that a connection is closed. */
  private static void letGoOf(Database database) {
    SessionLocal[] sessions = database.getSessions(true);
    database.shutdownImmediately();
    for (SessionLocal session : sessions) {
      try {
        session.close();
      } catch (RuntimeException e) {
        LOG.debug("A session of the closed file ends", e);
      }
    }
  }

  /** None where H2 runs elsewhere. */
  private static @Nullable MVStore storeOf(Connection connection) throws SQLException {
    JdbcConnection known = known(connection);
    return known != null && known.getSession() instanceof SessionLocal local
        ? local.getDatabase().getStore().getMvStore()
        : null;
  }

  /** None where another class loader has H2. */
  private static @Nullable JdbcConnection known(Connection connection) throws SQLException {
    try {
      return connection.isWrapperFor(JdbcConnection.class)
          ? connection.unwrap(JdbcConnection.class)
          : null;
    } catch (NoClassDefFoundError e) {
      LOG.debug("H2 is not on this class path", e);
      return null;
    }
  }

  private void warn() {
    if (!warned) {
      warned = true;
      LOG.warn(
          "The driver of H2 is not the gateway's own: its file is neither synced after a commit nor"
              + " made smaller. Put H2 on the class path of the gateway only, or use PostgreSQL");
    }
  }
}
