package dev.octroi.sandbox.vendor;

import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * A share of the memory, for work that takes much of it: what has no room waits its turn, for a
 * while. The sandbox lives in the gateway's process, and what it draws must not cost the gateway
 * its memory. Thread-safe.
 */
public final class MemoryShare {

  private static final int UNIT = 1024;
  private static final long TIMEOUT_SECONDS = 60;

  private final int whole;
  private final Semaphore free;

  /** So many bytes. */
  public MemoryShare(long bytes) {
    this.whole = (int) Math.max(1, Math.min(Integer.MAX_VALUE, bytes / UNIT));
    this.free = new Semaphore(whole, true);
  }

  /** One part of the heap in so many. */
  public static MemoryShare ofHeap(int parts) {
    return new MemoryShare(Runtime.getRuntime().maxMemory() / parts);
  }

  /**
   * Does work that takes so many bytes; work that takes more than all of them is done alone.
   *
   * @return empty where its turn did not come in time, or the thread was interrupted
   */
  public <T> Optional<T> during(long bytes, Supplier<T> work) {
    int units = (int) Math.max(1, Math.min(whole, bytes / UNIT));
    try {
      if (!free.tryAcquire(units, TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
        return Optional.empty();
      }
    } catch (InterruptedException gone) {
      Thread.currentThread().interrupt();
      return Optional.empty();
    }
    try {
      return Optional.of(work.get());
    } finally {
      free.release(units);
    }
  }
}
