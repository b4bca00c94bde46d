package dev.octroi.payments.ledger;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** A connection whose end lets the next one begin. */
final class Turn implements InvocationHandler {

  private final Connection connection;
  private final Runnable next;
  private final AtomicBoolean over = new AtomicBoolean();

  private Turn(Connection connection, Runnable next) {
    this.connection = connection;
    this.next = next;
  }

  /**
   * The connection, with an errand for when it is closed.
   *
   * @param next runs once, after it is closed
   */
  static Connection with(Connection connection, Runnable next) {
    return (Connection)
        Proxy.newProxyInstance(
            Turn.class.getClassLoader(),
            new Class<?>[] {Connection.class},
            new Turn(connection, next));
  }

  @Override
  public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments)
      throws Throwable {
    try {
      return method.invoke(connection, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause() == null ? e : e.getCause();
    } finally {
      if (method.getName().equals("close") && over.compareAndSet(false, true)) {
        next.run();
      }
    }
  }
}
