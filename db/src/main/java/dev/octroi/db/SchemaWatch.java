package dev.octroi.db;

import dev.octroi.db.Migrations.SchemaStatus;
import java.time.Duration;
import javax.sql.DataSource;

/**
 * Whether a database still has the schema that this version needs, for a host that asks often: a
 * good answer holds for a minute. Migrations of a newer version do no harm, since each is written
 * so that the version before it lives on. Thread-safe.
 */
public final class SchemaWatch {

  private static final Duration GOOD_FOR = Duration.ofMinutes(1);

  private final DataSource database;
  private volatile long goodUntil = System.nanoTime();

  public SchemaWatch(DataSource database) {
    this.database = database;
  }

  /**
   * True if nothing is pending and nothing failed.
   *
   * @throws RuntimeException if the database cannot be asked
   */
  public boolean isApplied() {
    if (goodUntil - System.nanoTime() > 0) {
      return true;
    }
    SchemaStatus status = Migrations.verify(database);
    boolean applied = status.pending().isEmpty() && status.failed().isEmpty();
    if (applied) {
      goodUntil = System.nanoTime() + GOOD_FOR.toNanos();
    }
    return applied;
  }
}
