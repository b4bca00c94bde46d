package dev.octroi.payments.ledger.jdbc;

import dev.octroi.payments.ledger.LedgerUnavailable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Something a caller asked of the writer threads. The caller waits until its deadline; the work may
 * end later, and is told whether the caller heard of it.
 */
abstract sealed class Work<T> permits ClaimWork, TransitionWork, CallWork {

  private final CompletableFuture<T> answer = new CompletableFuture<>();
  private final CompletionListener<T> listener;
  private final AtomicReference<Progress> progress = new AtomicReference<>(Progress.QUEUED);
  private @Nullable T proposed;
  private final AtomicBoolean acknowledged = new AtomicBoolean();
  private volatile boolean asked;
  private int tries;

  private enum Progress {
    QUEUED,
    /** A writer has taken it to the database. */
    BEGUN,
    /** Its caller gave up before, so that it never begins. */
    CALLED_OFF
  }

  Work(CompletionListener<T> listener) {
    this.listener = listener;
  }

  /** Whether it is done even if its caller has given up: its claim would stay open otherwise. */
  boolean mustRun() {
    return false;
  }

  /** Has it run until its end is known, whether or not a caller waits. */
  final void askForItsEnd() {
    asked = true;
  }

  /** Whether it is tried until the database has answered. */
  final boolean needsEnd() {
    return mustRun() || asked;
  }

  /** Takes it to the database; false if its caller has called it off. */
  final boolean begin() {
    tries++;
    return progress.compareAndSet(Progress.QUEUED, Progress.BEGUN)
        || progress.get() == Progress.BEGUN;
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
    return acknowledged.get();
  }

  /** The transaction has committed; only the first time counts. */
  final void acknowledge() {
    if (!acknowledged.compareAndSet(false, true)) {
      return;
    }
    T result = proposed;
    if (result == null) {
      fail(new IllegalStateException("a batch forgot " + getClass().getSimpleName()));
      return;
    }
    listener.done(result);
    if (!answer.complete(result)) {
      listener.unheard(result);
    }
  }

  /** Nothing was done, or what was done is not known; what is asked for its end has none yet. */
  final void fail(Throwable cause) {
    if (!asked) {
      listener.notDone();
    }
    answer.completeExceptionally(new LedgerUnavailable("the ledger's database failed", cause));
  }

  /** It does not begin, for certain. */
  final void refuse(String why) {
    listener.notDone();
    answer.completeExceptionally(LedgerUnavailable.nothingDone(why));
  }

  /**
   * Waits, without reacting to interrupts: what was asked is being done in any case. What no writer
   * has begun at the deadline is called off, and certainly not done; what is in the database by
   * then is waited for as long again, because the caller has to know.
   *
   * @throws LedgerUnavailable at the deadline, or if it failed
   */
  final T await(long nanos) {
    try {
      try {
        return within(nanos);
      } catch (TimeoutException e) {
        if (!mustRun() && progress.compareAndSet(Progress.QUEUED, Progress.CALLED_OFF)) {
          refuse("the ledger did not come to it in time");
        }
        return within(nanos);
      }
    } catch (ExecutionException e) {
      throw e.getCause() instanceof LedgerUnavailable known ? known : unavailable(e);
    } catch (TimeoutException e) {
      LedgerUnavailable late = unavailable(e);
      if (!answer.completeExceptionally(late) && !answer.isCompletedExceptionally()) {
        return answer.join();
      }
      throw late;
    }
  }

  private T within(long nanos) throws ExecutionException, TimeoutException {
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
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private static LedgerUnavailable unavailable(Exception cause) {
    return new LedgerUnavailable("the ledger's database did not answer in time", cause);
  }

  /** What a work's end means to the memory of this node; called on the writer's thread. */
  interface CompletionListener<T> {

    /** It is durable; the caller has not been told yet. */
    default void done(T result) {}

    /** It is durable, but the caller had given up before. */
    default void unheard(T result) {}

    /** It failed or was skipped. */
    default void notDone() {}

    /** Nothing to remember. */
    static <T> CompletionListener<T> none() {
      return new CompletionListener<>() {};
    }
  }
}
