package dev.octroi.payments.ledger;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** A connection whose end has something done with it, and lets the next one begin. */
final class ExclusiveConnection implements InvocationHandler {

  /** What is done before the connection is closed. */
  @FunctionalInterface
  interface Ending {
    void with(Connection connection) throws SQLException;
  }

  private final Connection connection;
  private final Ending ending;
  private final Runnable next;
  private final AtomicBoolean over = new AtomicBoolean();

  private ExclusiveConnection(Connection connection, Ending ending, Runnable next) {
    this.connection = connection;
    this.ending = ending;
    this.next = next;
  }

  /**
   * The connection, with errands for when it is closed, each of which runs once.
   *
   * @param ending before it is closed; what it throws is thrown by {@code close}
   * @param next after it is closed, whatever happened
   */
  static Connection with(Connection connection, Ending ending, Runnable next) {
    return (Connection)
        Proxy.newProxyInstance(
            ExclusiveConnection.class.getClassLoader(),
            new Class<?>[] {Connection.class},
            new ExclusiveConnection(connection, ending, next));
  }

  @Override
  public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments)
      throws Throwable {
    if (method.getName().equals("close") && over.compareAndSet(false, true)) {
      end();
      return null;
    }
    try {
      return method.invoke(connection, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause() == null ? e : e.getCause();
    }
  }

  private void end() throws SQLException {
    try (Connection closing = connection) {
      if (!closing.isClosed()) {
        ending.with(closing);
      }
    } finally {
      next.run();
    }
  }
}
