package dev.octroi.api;

import dev.octroi.payments.Tariff;
import dev.octroi.payments.reconcile.RecurringTask;
import java.util.List;

/**
 * A group's part that outlives requests: its jobs, leases or calls, in the ledger's database.
 * Opened with a {@link JobContext} before the gateway serves, closed before anything that it needs.
 * Thread-safe.
 */
public interface BackgroundService extends AutoCloseable {

  /** What is done again and again beside the calls; the names are the group's own. */
  default List<RecurringTask> tasks() {
    return List.of();
  }

  /** What prices calls by what the group keeps. */
  default List<Tariff> tariffs() {
    return List.of();
  }

  /** Begins nothing more and waits for what is under way, for a few seconds at most. */
  @Override
  void close();
}
