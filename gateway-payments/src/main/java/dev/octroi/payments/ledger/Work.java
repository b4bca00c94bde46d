package dev.octroi.payments.ledger;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Something a caller asked of the writer threads. The caller waits until its deadline; the work may
 * end later, and is told whether anybody heard of it.
 */
abstract sealed class Work<T> permits ClaimWork, MoveWork, CallWork {

  private final CompletableFuture<T> answer = new CompletableFuture<>();
  private final Aftermath<T> aftermath;
  private @Nullable T proposed;
  private boolean acknowledged;
  private int tries;

  Work(Aftermath<T> aftermath) {
    this.aftermath = aftermath;
  }

  /** Whether it is done even if its caller has given up: its claim would stay open otherwise. */
  abstract boolean mustRun();

  final void begin() {
    tries++;
  }

  /** Whether an earlier try may have been committed without our knowing. */
  final boolean isRetry() {
    return tries > 1;
  }

  /** Notes the result that holds if the transaction commits. */
  final void propose(T result) {
    proposed = result;
  }

  final boolean isAbandoned() {
    return answer.isDone();
  }

  final boolean isAcknowledged() {
    return acknowledged;
  }

  /** The transaction has committed. */
  final void acknowledge() {
    acknowledged = true;
    T result = proposed;
    if (result == null) {
      fail(new IllegalStateException("a batch forgot " + getClass().getSimpleName()));
      return;
    }
    aftermath.done(result);
    if (!answer.complete(result)) {
      aftermath.unheard(result);
    }
  }

  /** Nothing was done, or nobody knows. */
  final void fail(Throwable cause) {
    aftermath.notDone();
    answer.completeExceptionally(new LedgerUnavailable("the ledger's database failed", cause));
  }

  /**
   * Waits, without reacting to interrupts: what was asked is being done in any case.
   *
   * @throws LedgerUnavailable at the deadline, or if it failed
   */
  final T await(long nanos) {
    long end = System.nanoTime() + nanos;
    boolean interrupted = false;
    try {
      while (true) {
        try {
          return answer.get(end - System.nanoTime(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
    } catch (ExecutionException e) {
      throw e.getCause() instanceof LedgerUnavailable known ? known : unavailable(e);
    } catch (TimeoutException e) {
      LedgerUnavailable late = unavailable(e);
      if (!answer.completeExceptionally(late) && !answer.isCompletedExceptionally()) {
        return answer.join();
      }
      throw late;
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private static LedgerUnavailable unavailable(Exception cause) {
    return new LedgerUnavailable("the ledger's database did not answer in time", cause);
  }
}
