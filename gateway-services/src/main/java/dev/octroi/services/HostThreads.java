package dev.octroi.services;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Threads for work beside the calls, made by the host's own factory where it has one, such as the
 * managed factory of a Jakarta EE server. Thread-safe.
 *
 * <p>The component that takes a pool ends it, and bears interrupts: a server interrupts each of its
 * threads when it undeploys.
 */
public final class HostThreads {

  /** Daemons of the JVM, for hosts that have no factory of their own. */
  public static final HostThreads OF_THE_JVM = new HostThreads(HostThreads::daemon);

  private final ThreadFactory host;

  public HostThreads(ThreadFactory host) {
    this.host = host;
  }

  /** Makes threads called by this name and a number. */
  public ThreadFactory named(String name) {
    AtomicInteger count = new AtomicInteger();
    return task -> {
      Thread thread = host.newThread(task);
      // A managed factory may refuse, once its application is being undeployed.
      if (thread != null) {
        thread.setName(name + "-" + count.incrementAndGet());
      }
      return thread;
    };
  }

  /** As many threads as there is work; what is not needed for a minute ends. */
  public ExecutorService pool(String name) {
    return Executors.newCachedThreadPool(named(name));
  }

  /** One thread that keeps time. */
  public ScheduledExecutorService clock(String name) {
    return Executors.newSingleThreadScheduledExecutor(named(name));
  }

  private static Thread daemon(Runnable task) {
    Thread thread = new Thread(task);
    thread.setDaemon(true);
    return thread;
  }
}
