package dev.octroi.api.group;

import dev.octroi.payments.Tariff;
import dev.octroi.payments.reconcile.RecurringTask;
import dev.octroi.services.read.Reads.CacheFigures;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * A group that is open.
 *
 * @param services what its resources work with, each found by its class ({@code Mounted#of})
 * @param tariffs what prices its calls, by the classes that {@code @Paid(by = …)} names
 * @param tasks what is done again and again beside the calls; the names are the group's own
 * @param cache tells how often reads were in memory; empty where nothing is kept
 * @param warmUp prepares beside the calls what the first of them would else wait for; returns soon
 * @param close begins nothing more and waits for what is under way, for a few seconds at most;
 *     upstreams are closed after it
 */
public record OpenGroup(
    List<Object> services,
    List<Tariff> tariffs,
    List<RecurringTask> tasks,
    Optional<Supplier<CacheFigures>> cache,
    Runnable warmUp,
    Runnable close) {

  public OpenGroup {
    services = List.copyOf(services);
    tariffs = List.copyOf(tariffs);
    tasks = List.copyOf(tasks);
  }

  /** A group whose resources work with these, and with nothing beside the calls. */
  public static OpenGroup of(Object... services) {
    return new OpenGroup(
        List.of(services), List.of(), List.of(), Optional.empty(), () -> {}, () -> {});
  }

  public OpenGroup with(Tariff... more) {
    return new OpenGroup(services, List.of(more), tasks, cache, warmUp, close);
  }

  public OpenGroup withTasks(List<RecurringTask> more) {
    return new OpenGroup(services, tariffs, more, cache, warmUp, close);
  }

  public OpenGroup withCache(Supplier<CacheFigures> figures) {
    return new OpenGroup(services, tariffs, tasks, Optional.of(figures), warmUp, close);
  }

  public OpenGroup withWarmUp(Runnable preparing) {
    return new OpenGroup(services, tariffs, tasks, cache, preparing, close);
  }

  public OpenGroup withClose(Runnable closing) {
    return new OpenGroup(services, tariffs, tasks, cache, warmUp, closing);
  }
}
