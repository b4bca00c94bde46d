package dev.octroi.sandbox.vendor;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.util.thread.Scheduler;

/**
 * Interrupts the work for callers that have closed their connection, as a vendor stops a query
 * whose caller has gone. Jetty itself does not read from a connection while a request is handled,
 * so this looks at it every quarter of a second. Thread-safe.
 */
final class CallerWatch {

  private static final long EVERY_MILLIS = 250;

  private final Set<Watched> active = ConcurrentHashMap.newKeySet();
  private final Scheduler scheduler;

  CallerWatch(Scheduler scheduler) {
    this.scheduler = scheduler;
  }

  void start() {
    scheduler.schedule(this::sweep, EVERY_MILLIS, TimeUnit.MILLISECONDS);
  }

  /** Does the work, interrupting it if the caller goes; the thread's flag is clear afterwards. */
  <T> T during(EndPoint connection, Supplier<T> work) {
    Watched watched = new Watched(connection, Thread.currentThread());
    active.add(watched);
    try {
      return work.get();
    } finally {
      active.remove(watched);
      watched.end();
    }
  }

  private void sweep() {
    active.forEach(Watched::look);
    start();
  }

  /** One caller under watch. */
  private static final class Watched {

    private final EndPoint connection;
    private final Thread worker;
    private boolean over;

    private Watched(EndPoint connection, Thread worker) {
      this.connection = connection;
      this.worker = worker;
    }

    /** A byte read here is lost, but a caller sends none before it has its answer. */
    private synchronized void look() {
      if (!over && gone()) {
        over = true;
        worker.interrupt();
      }
    }

    private boolean gone() {
      try {
        // Jetty's buffers are empty where position and limit meet.
        return connection.fill(ByteBuffer.allocate(1).limit(0)) < 0;
      } catch (IOException closed) {
        return true;
      }
    }

    private synchronized void end() {
      over = true;
      Thread.interrupted();
    }
  }
}
