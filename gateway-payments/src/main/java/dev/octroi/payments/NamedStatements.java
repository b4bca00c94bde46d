package dev.octroi.payments;

import javax.sql.DataSource;
import org.jdbi.v3.core.ConnectionFactory;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.statement.ColonPrefixSqlParser;
import org.jdbi.v3.core.statement.SqlParser;
import org.jdbi.v3.core.statement.SqlStatements;

/**
 * Opens databases for statements with named parameters. One parser serves the whole process: to
 * parse a statement costs more than to run it, and a parser remembers what it has parsed.
 * Thread-safe.
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
    return database;
  }
}
