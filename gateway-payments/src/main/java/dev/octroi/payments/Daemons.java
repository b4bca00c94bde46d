package dev.octroi.payments;

import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;

/** Threads with a name and a number, which keep no process alive. Thread-safe. */
public final class Daemons implements ThreadFactory {

  private final String name;
  private final AtomicInteger count = new AtomicInteger();

  /**
   * The threads of one errand.
   *
   * @param name what a dump of the process shows, with the number behind it
   */
  public Daemons(String name) {
    this.name = name;
  }

  @Override
  public Thread newThread(Runnable task) {
    Thread thread = new Thread(task, name + "-" + count.incrementAndGet());
    thread.setDaemon(true);
    return thread;
  }
}
