package dev.octroi.api.group;

import dev.octroi.payments.Payment;
import dev.octroi.payments.Tariff;
import dev.octroi.payments.reconcile.RecurringTask;
import dev.octroi.services.Answer;
import dev.octroi.services.read.Read;
import dev.octroi.services.read.Reads.CacheFigures;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A group that is open.
 *
 * @param services what its resources work with, each found by its class ({@code Mounted#of})
 * @param tariffs what prices its calls, by the classes that {@code @Paid(by = …)} names
 * @param tasks what is done again and again beside the calls; the names are the group's own
 * @param cache tells how often reads were in memory; empty where nothing is kept
 * @param reads finds the read that is offered at a canonical path, for a face that is no resource
 * @param warmUp prepares beside the calls what the first of them would else wait for; returns soon
 * @param close begins nothing more and waits for what is under way, for a few seconds at most;
 *     upstreams are closed after it
 */
public record OpenGroup(
    List<Object> services,
    List<Tariff> tariffs,
    List<RecurringTask> tasks,
    Optional<Supplier<CacheFigures>> cache,
    Function<String, Optional<FoundRead>> reads,
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
        List.of(services),
        List.of(),
        List.of(),
        Optional.empty(),
        path -> Optional.empty(),
        () -> {},
        () -> {});
  }

  public OpenGroup with(Tariff... more) {
    return new OpenGroup(services, List.of(more), tasks, cache, reads, warmUp, close);
  }

  public OpenGroup withTasks(List<RecurringTask> more) {
    return new OpenGroup(services, tariffs, more, cache, reads, warmUp, close);
  }

  public OpenGroup withCache(Supplier<CacheFigures> figures) {
    return new OpenGroup(services, tariffs, tasks, Optional.of(figures), reads, warmUp, close);
  }

  public OpenGroup withReads(Function<String, Optional<FoundRead>> found) {
    return new OpenGroup(services, tariffs, tasks, cache, found, warmUp, close);
  }

  public OpenGroup withWarmUp(Runnable preparing) {
    return new OpenGroup(services, tariffs, tasks, cache, reads, preparing, close);
  }

  public OpenGroup withClose(Runnable closing) {
    return new OpenGroup(services, tariffs, tasks, cache, reads, warmUp, closing);
  }

  /**
   * A read that a path names.
   *
   * @param run asks it with the raw query, null where there is none, within the time of its payment
   */
  public record FoundRead(Read row, BiFunction<@Nullable String, Optional<Payment>, Answer> run) {}
}
