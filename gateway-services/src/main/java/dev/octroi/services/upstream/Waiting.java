package dev.octroi.services.upstream;

import dev.octroi.services.Deadline;
import dev.octroi.services.Failure;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Waiting for a result no longer than its deadline. */
public final class Waiting {

  private Waiting() {}

  /**
   * The result of the future.
   *
   * @param leave run when the wait ends without a result: the deadline passed, or the thread is to
   *     stop
   * @throws Failure for every other end
   */
  public static <T> T until(Deadline deadline, Future<T> future, Runnable leave) {
    try {
      return future.get(deadline.remaining().toNanos(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException late) {
      leave.run();
      throw Failures.late();
    } catch (InterruptedException stop) {
      leave.run();
      Thread.currentThread().interrupt();
      throw Failures.interrupted(stop);
    } catch (CancellationException cancelled) {
      throw Failures.late();
    } catch (ExecutionException failed) {
      Failure failure = Failures.of(failed);
      throw new Failure(
          failure.code(), message(failure), failure.retryAfter().orElse(null), failure);
    }
  }

  private static String message(Failure failure) {
    String message = failure.getMessage();
    return message == null ? failure.code().code() : message;
  }
}
