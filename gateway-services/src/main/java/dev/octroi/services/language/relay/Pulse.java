package dev.octroi.services.language.relay;

import dev.octroi.services.HostThreads;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives signs of life on streams that have nothing to say, so that proxies on the way keep them
 * open and a reader who is gone is noticed. Thread-safe.
 */
final class Pulse implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(Pulse.class);

  private final long pauseNanos;
  private final ScheduledExecutorService clock;

  /** A sign that blocks on a slow reader must not keep the others from theirs. */
  private final ExecutorService signs;

  Pulse(Duration pause, HostThreads threads) {
    this.pauseNanos = pause.toNanos();
    this.clock = threads.clock("language-pulse-clock");
    this.signs = threads.pool("language-pulse-sign");
  }

  /**
   * Begins to beat.
   *
   * @param sign false once the reader is gone
   */
  Beat of(BooleanSupplier sign) {
    return new Beat(sign);
  }

  @Override
  public void close() {
    clock.shutdownNow();
    signs.shutdownNow();
  }

  /** One stream's. */
  final class Beat implements AutoCloseable {

    private final BooleanSupplier sign;
    private final ScheduledFuture<?> ticks;
    private volatile long last = System.nanoTime();

    Beat(BooleanSupplier sign) {
      this.sign = sign;
      this.ticks =
          clock.scheduleWithFixedDelay(this::tick, pauseNanos, pauseNanos, TimeUnit.NANOSECONDS);
    }

    /** Something was said. */
    void seen() {
      last = System.nanoTime();
    }

    private void tick() {
      if (System.nanoTime() - last >= pauseNanos) {
        seen();
        try {
          signs.execute(this::give);
        } catch (RuntimeException | Error e) {
          // No thread now: a schedule forgets a task that throws, and this stream beats on.
          LOG.debug("A sign of life was left out", e);
        }
      }
    }

    private void give() {
      if (!ticks.isCancelled() && !sign.getAsBoolean()) {
        close();
      }
    }

    @Override
    public void close() {
      ticks.cancel(false);
    }
  }
}
