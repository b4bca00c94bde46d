package dev.octroi.payments.evm.relay;

import dev.octroi.payments.Daemons;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs the follower's rounds: often while transactions are under way, seldom while none is. Its
 * thread is a daemon and never interrupted. Thread-safe.
 */
final class FollowerThread implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(FollowerThread.class);

  private static final long CLOSE_SECONDS = 10;

  private final BooleanSupplier round;
  private final Duration pause;
  private final Duration idle;
  private final BlockingQueue<Boolean> calls = new LinkedBlockingQueue<>();
  private final CompletableFuture<Boolean> end = new CompletableFuture<>();
  private volatile boolean started;
  private volatile boolean closing;

  /**
   * Makes the thread.
   *
   * @param pause between rounds while something is under way
   * @param idle between rounds while nothing is, for others may have left something behind
   */
  FollowerThread(BooleanSupplier round, Duration pause, Duration idle) {
    this.round = round;
    this.pause = pause;
    this.idle = idle;
  }

  void start() {
    started = true;
    new Daemons("octroi-relay-follower").persistent(this::run).start();
  }

  /** Something is under way from now on. */
  void wake() {
    if (calls.isEmpty()) {
      calls.add(true);
    }
  }

  private void run() {
    while (!closing) {
      boolean busy = true;
      try {
        busy = round.getAsBoolean();
      } catch (RuntimeException e) {
        LOG.warn("Transactions could not be followed, and are tried again: {}", e.toString());
        LOG.debug("The follower's failure", e);
      }
      rest(busy);
    }
    end.complete(true);
  }

  private void rest(boolean busy) {
    try {
      if (!busy && calls.poll(idle.toNanos(), TimeUnit.NANOSECONDS) == null) {
        return;
      }
      if (!closing) {
        calls.poll(pause.toNanos(), TimeUnit.NANOSECONDS);
      }
    } catch (InterruptedException e) {
      LOG.error("The follower was interrupted by a stranger and goes on", e);
    }
  }

  @Override
  public void close() {
    closing = true;
    calls.add(true);
    if (started) {
      end.completeOnTimeout(false, CLOSE_SECONDS, TimeUnit.SECONDS).join();
    }
  }
}
