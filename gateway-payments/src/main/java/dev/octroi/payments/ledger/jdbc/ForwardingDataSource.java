package dev.octroi.payments.ledger.jdbc;

import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.logging.Logger;
import javax.sql.DataSource;

/** A database whose connections are had in a way of their own. All else is the database's. */
public abstract class ForwardingDataSource implements DataSource {

  /** How the database itself opens a connection. */
  @FunctionalInterface
  public interface Opening {
    Connection open() throws SQLException;
  }

  private final DataSource database;

  protected ForwardingDataSource(DataSource database) {
    this.database = database;
  }

  /** Opens a connection for a caller. */
  protected abstract Connection open(Opening opening) throws SQLException;

  final DataSource database() {
    return database;
  }

  @Override
  public final Connection getConnection() throws SQLException {
    return open(database::getConnection);
  }

  @Override
  public final Connection getConnection(String username, String password) throws SQLException {
    return open(() -> database.getConnection(username, password));
  }

  @Override
  public final <T> T unwrap(Class<T> type) throws SQLException {
    return database.unwrap(type);
  }

  @Override
  public final boolean isWrapperFor(Class<?> type) throws SQLException {
    return database.isWrapperFor(type);
  }

  @Override
  public final PrintWriter getLogWriter() throws SQLException {
    return database.getLogWriter();
  }

  @Override
  public final void setLogWriter(PrintWriter out) throws SQLException {
    database.setLogWriter(out);
  }

  @Override
  public final void setLoginTimeout(int seconds) throws SQLException {
    database.setLoginTimeout(seconds);
  }

  @Override
  public final int getLoginTimeout() throws SQLException {
    return database.getLoginTimeout();
  }

  @Override
  public final Logger getParentLogger() throws SQLFeatureNotSupportedException {
    return database.getParentLogger();
  }
}
