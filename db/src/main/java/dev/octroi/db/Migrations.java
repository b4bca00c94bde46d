package dev.octroi.db;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.MigrationInfo;
import org.flywaydb.core.api.MigrationState;

/**
 * Brings a database to the schema that this version needs, and says how far it is from it.
 *
 * <p>The schema's history lies in a table of its own, so that a host's migrations in the same
 * database are left alone. Thread-safe; two nodes that start together take turns.
 */
public final class Migrations {

  private static final String HISTORY = "octroi_schema_history";

  /** Where the history begins in a database that already holds other tables. */
  private static final String BEFORE_THE_FIRST = "0";

  /** The number of the first migration: those before it were never released. */
  private static final String FIRST = "100";

  private static final String POSTGRESQL = "postgresql";

  /** Held by the node whose turn it is, as long as its transaction lasts. */
  private static final String TURN = "SELECT pg_advisory_xact_lock(hashtext('octroi.migrations'))";

  private Migrations() {}

  /**
   * Applies what is pending.
   *
   * @throws UnsupportedSchema if the database is older than the first migration; it is not changed
   * @throws IllegalStateException if the database cannot be reached, or a pooler before PostgreSQL
   *     does not keep a connection's session
   * @throws org.flywaydb.core.api.FlywayException if a migration fails or an applied one was
   *     changed
   */
  public static void apply(DataSource database) {
    if (dialect(database).equals(POSTGRESQL)) {
      inTurn(database, () -> migrate(database));
    } else {
      migrate(database);
    }
  }

  private static void migrate(DataSource database) {
    Flyway flyway = flyway(database);
    if (isUnsupported(flyway.info().applied())) {
      throw new UnsupportedSchema();
    }
    flyway.migrate();
  }

  /**
   * One node at a time from the first look on: Flyway's own lock guards each migration, and leaves
   * a moment in which the history's table is there and empty, at which another node would fail.
   */
  private static void inTurn(DataSource database, Runnable work) {
    try {
      Sessions.require(database);
    } catch (SQLException e) {
      throw new IllegalStateException(e.getMessage(), e);
    }
    try (Connection turn = database.getConnection()) {
      boolean before = turn.getAutoCommit();
      turn.setAutoCommit(false);
      try (Statement lock = turn.createStatement()) {
        lock.execute(TURN);
        work.run();
      } finally {
        turn.rollback();
        turn.setAutoCommit(before);
      }
    } catch (SQLException e) {
      throw new IllegalStateException("the database cannot be reached", e);
    }
  }

  /** Compares the database with this version's migrations, without changing anything. */
  public static SchemaStatus verify(DataSource database) {
    MigrationInfo[] all = flyway(database).info().all();
    return new SchemaStatus(
        isUnsupported(all),
        versions(all, state -> state == MigrationState.PENDING),
        versions(all, MigrationState::isFailed),
        versions(all, Migrations::isNewer));
  }

  private static boolean isUnsupported(MigrationInfo[] migrations) {
    return Stream.of(migrations)
        .filter(info -> info.getState().isApplied() && info.getVersion() != null)
        .anyMatch(
            info -> info.getVersion().isNewerThan(BEFORE_THE_FIRST) && isBeforeTheFirst(info));
  }

  private static boolean isBeforeTheFirst(MigrationInfo info) {
    return !info.getVersion().isAtLeast(FIRST);
  }

  private static boolean isNewer(MigrationState state) {
    return state == MigrationState.FUTURE_SUCCESS || state == MigrationState.FUTURE_FAILED;
  }

  private static List<String> versions(MigrationInfo[] all, Predicate<MigrationState> wanted) {
    return Stream.of(all)
        .filter(info -> wanted.test(info.getState()))
        .map(info -> info.getVersion() + " " + info.getDescription())
        .toList();
  }

  private static Flyway flyway(DataSource database) {
    return Flyway.configure(Migrations.class.getClassLoader())
        .dataSource(database)
        .locations("classpath:dev/octroi/db/" + dialect(database))
        // A class loader that lists no folders must not look like a database that needs nothing.
        .failOnMissingLocations(true)
        .table(HISTORY)
        .baselineOnMigrate(true)
        .placeholderReplacement(false)
        .baselineVersion(BEFORE_THE_FIRST)
        .load();
  }

  private static String dialect(DataSource database) {
    try (Connection connection = database.getConnection()) {
      String product = connection.getMetaData().getDatabaseProductName();
      return switch (product.toLowerCase(Locale.ROOT)) {
        case "h2" -> "h2";
        case POSTGRESQL -> POSTGRESQL;
        default ->
            throw new IllegalArgumentException(
                "the gateway keeps its books in H2 or PostgreSQL, not in " + product);
      };
    } catch (SQLException e) {
      throw new IllegalStateException("the database cannot be reached", e);
    }
  }

  /**
   * How far a database is from the schema of this version.
   *
   * @param isUnsupported whether it is that of a gateway from before the first release
   * @param pending migrations that are still to be applied
   * @param failed migrations that were begun and failed
   * @param newer migrations that a newer version applied and this one does not know
   */
  public record SchemaStatus(
      boolean isUnsupported, List<String> pending, List<String> failed, List<String> newer) {

    /** What the operator does about a schema that is not supported. */
    public static String unsupported() {
      return UnsupportedSchema.MESSAGE;
    }

    /** Whether this version may work on the database. */
    public boolean isCurrent() {
      return !isUnsupported && pending.isEmpty() && failed.isEmpty() && newer.isEmpty();
    }
  }
}
