package dev.octroi.war;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * Threads that do not hold on to the web application: a thread inherits its maker's class loader,
 * and some that the JVM makes for the gateway outlive it, a few of them for ever.
 */
final class NeutralThreads {

  private NeutralThreads() {}

  /** Runs this so that threads made meanwhile belong to the server. */
  static void during(Runnable work) {
    Thread thread = Thread.currentThread();
    ClassLoader own = thread.getContextClassLoader();
    thread.setContextClassLoader(ClassLoader.getSystemClassLoader());
    try {
      // Makes the one thread by which the JVM keeps time for all futures, if nobody has yet.
      new CompletableFuture<Void>().orTimeout(1, TimeUnit.MILLISECONDS);
      work.run();
    } finally {
      thread.setContextClassLoader(own);
    }
  }
}
