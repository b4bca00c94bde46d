package dev.octroi.payments;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Optional;
import javax.sql.DataSource;
import org.jdbi.v3.core.ConnectionFactory;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.argument.AbstractArgumentFactory;
import org.jdbi.v3.core.argument.Argument;
import org.jdbi.v3.core.config.ConfigRegistry;
import org.jdbi.v3.core.statement.ColonPrefixSqlParser;
import org.jdbi.v3.core.statement.SqlParser;
import org.jdbi.v3.core.statement.SqlStatements;

/**
 * Opens databases for statements with named parameters, which may be moments. One parser serves the
 * whole process: to parse a statement costs more than to run it, and a parser remembers what it has
 * parsed. Thread-safe.
 */
public final class NamedStatements {

  private static final SqlParser PARSER = new ColonPrefixSqlParser();

  private NamedStatements() {}

  public static Jdbi of(DataSource database) {
    return parsing(Jdbi.create(database));
  }

  public static Jdbi of(ConnectionFactory connections) {
    return parsing(Jdbi.create(connections));
  }

  private static Jdbi parsing(Jdbi database) {
    database.getConfig(SqlStatements.class).setSqlParser(PARSER);
    return database
        .registerArgument(new Moments())
        .registerColumnMapper(
            Instant.class, (row, column, context) -> instant(row, column).orElse(null));
  }

  /** What stands in a column of moments; empty for null. */
  public static Optional<Instant> instant(ResultSet row, String column) throws SQLException {
    return instant(row, row.findColumn(column));
  }

  private static Optional<Instant> instant(ResultSet row, int column) throws SQLException {
    return Optional.ofNullable(row.getObject(column, OffsetDateTime.class))
        .map(OffsetDateTime::toInstant);
  }

  /** Binds a moment in UTC. As a timestamp it would go through the machine's own time zone. */
  private static final class Moments extends AbstractArgumentFactory<Instant> {

    Moments() {
      super(Types.TIMESTAMP_WITH_TIMEZONE);
    }

    @Override
    protected Argument build(Instant moment, ConfigRegistry config) {
      return (position, statement, context) ->
          statement.setObject(position, moment.atOffset(ZoneOffset.UTC));
    }
  }
}
