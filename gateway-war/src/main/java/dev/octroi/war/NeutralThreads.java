package dev.octroi.war;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandleProxies;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;

/**
 * Work that leaves nothing of the web application behind on the server's threads.
 *
 * <p>What a library keeps in a variable of the thread that uses it first dies with the thread that
 * the work gets here. A thread inherits its maker's class loader, and some that the JVM makes for
 * the gateway outlive it, one of them for ever.
 */
final class NeutralThreads {

  private NeutralThreads() {}

  /**
   * Runs this on a thread of its own whose threads will be the server's, and waits for its end;
   * throws what it throws.
   */
  static void during(Runnable work) {
    keepTime();
    var unused = await(Executors.callable(work), ClassLoader.getSystemClassLoader());
  }

  /** The same for what makes no threads, and finds its parts by the class loader of the thread. */
  static <T> T of(Callable<T> work) {
    return await(work, Thread.currentThread().getContextClassLoader());
  }

  private static <T> T await(Callable<T> work, ClassLoader loader) {
    FutureTask<T> task = new FutureTask<>(work);
    Thread thread = new Thread(task, "octroi-deployment");
    thread.setContextClassLoader(loader);
    thread.start();
    return await(task);
  }

  /** An interrupt of the waiting server thread does not stop what is half done. */
  private static <T> T await(FutureTask<T> task) {
    boolean interrupted = false;
    try {
      while (true) {
        try {
          return task.get();
        } catch (InterruptedException e) {
          interrupted = true;
        } catch (ExecutionException e) {
          throw unchecked(e);
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private static RuntimeException unchecked(ExecutionException ended) {
    Throwable thrown = ended.getCause();
    if (thrown instanceof Error error) {
      throw error;
    }
    return thrown instanceof RuntimeException known ? known : new IllegalStateException(ended);
  }

  /**
   * Has the JVM make the one thread by which it keeps time for all futures, if it has not yet. The
   * thread remembers whose code made it, up to Java 23, so this is done by code of the JDK alone,
   * on a thread of the JDK.
   */
  private static void keepTime() {
    CompletableFuture<Void> never = new CompletableFuture<>();
    try {
      MethodHandle orTimeout =
          MethodHandles.publicLookup()
              .findVirtual(
                  CompletableFuture.class,
                  "orTimeout",
                  MethodType.methodType(CompletableFuture.class, long.class, TimeUnit.class));
      MethodHandle soon =
          MethodHandles.insertArguments(orTimeout, 0, never, 1L, TimeUnit.MILLISECONDS)
              .asType(MethodType.methodType(void.class));
      ForkJoinPool.commonPool()
          .execute(MethodHandleProxies.asInterfaceInstance(Runnable.class, soon));
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
    // Waiting for the task itself would do it here, on the thread that waits.
    never.exceptionally(timeout -> null).join();
  }
}
