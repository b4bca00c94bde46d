package dev.octroi.payments.reconcile;

import dev.octroi.payments.Daemons;
import java.util.List;
import java.util.concurrent.RejectedExecutionHandler;
import java.util.concurrent.ScheduledThreadPoolExecutor;

/**
 * Daemon threads that are never interrupted at their work, however urgently they are told to stop:
 * an interrupt amid a statement breaks an H2 file.
 */
final class UninterruptiblePool extends ScheduledThreadPoolExecutor {

  /** What comes too late is dropped: whatever it was, another node does it. */
  private static final RejectedExecutionHandler DROP = (task, pool) -> {};

  private volatile Runnable onShutdown = () -> {};

  UninterruptiblePool(String name, int threads) {
    super(threads, new Daemons("octroi-" + name), DROP);
    setRemoveOnCancelPolicy(true);
  }

  /** What wakes up a thread that sleeps, in place of an interrupt. */
  void onShutdown(Runnable wake) {
    onShutdown = wake;
  }

  @Override
  public void shutdown() {
    super.shutdown();
    onShutdown.run();
  }

  @Override
  public List<Runnable> shutdownNow() {
    shutdown();
    return List.of();
  }
}
