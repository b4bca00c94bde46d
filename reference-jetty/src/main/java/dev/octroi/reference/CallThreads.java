package dev.octroi.reference;

import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.VirtualThreads;
import org.eclipse.jetty.util.thread.QueuedThreadPool;

/**
 * Runs calls on threads that may wait, so that the threads which read from connections never do;
 * and questions after the node's health on a few of their own, which answer whatever the calls wait
 * for. Thread-safe.
 */
final class CallThreads extends Handler.Wrapper {

  /**
   * Where the JDK has no virtual threads: the cap of calls in flight, so that a challenge never
   * queues behind settlements (money rules, JAX-RS).
   */
  private static final int MOST_CALLS = 600;

  private static final int LEAST_CALLS = 8;
  private static final int HEALTH = 2;

  private final Executor calls;
  private final Executor health;

  CallThreads(Handler handler) {
    super(handler);
    Executor virtual = VirtualThreads.getDefaultVirtualThreadsExecutor();
    calls = virtual == null ? pool("call", MOST_CALLS, LEAST_CALLS) : virtual;
    health = pool("health", HEALTH, HEALTH);
    installBean(calls);
    installBean(health);
  }

  private static QueuedThreadPool pool(String name, int most, int least) {
    QueuedThreadPool pool = new QueuedThreadPool(most, least);
    pool.setName(name);
    pool.setReservedThreads(0);
    return pool;
  }

  @Override
  public boolean handle(Request request, Response response, Callback callback) {
    Executor threads = Request.getPathInContext(request).startsWith("/health/") ? health : calls;
    try {
      threads.execute(() -> run(request, response, callback));
    } catch (RejectedExecutionException e) {
      Response.writeError(request, response, callback, HttpStatus.SERVICE_UNAVAILABLE_503);
    }
    return true;
  }

  private void run(Request request, Response response, Callback callback) {
    try {
      if (!super.handle(request, response, callback)) {
        Response.writeError(request, response, callback, HttpStatus.NOT_FOUND_404);
      }
    } catch (Throwable t) {
      Response.writeError(request, response, callback, t);
    }
  }
}
