package dev.octroi.api.setup;

import dev.octroi.api.group.ConfiguredGroups;
import dev.octroi.api.group.Group;
import dev.octroi.api.group.GroupContext;
import dev.octroi.api.group.OpenGroup;
import dev.octroi.payments.Tariff;
import dev.octroi.payments.reconcile.RecurringTask;
import dev.octroi.services.HostThreads;
import dev.octroi.services.read.Reads.CacheFigures;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The groups of a gateway, opened in one place and closed together. */
public final class OpenGroups implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(OpenGroups.class);
  private static final Duration DRAIN = Duration.ofSeconds(10);
  private static final ThreadFactory DRAINING = HostThreads.OF_THE_JVM.named("octroi-drain");

  private final GroupContext context;
  private final Map<Group, OpenGroup> open = new LinkedHashMap<>();

  private OpenGroups(GroupContext context) {
    this.context = context;
  }

  /** Opens all of them; if one cannot be opened, those before it are closed again. */
  public static OpenGroups open(ConfiguredGroups groups, GroupContext context) {
    OpenGroups all = new OpenGroups(context);
    try {
      groups.all().forEach((group, configured) -> all.open.put(group, configured.open(context)));
    } catch (RuntimeException e) {
      all.close();
      throw e;
    }
    return all;
  }

  public GroupContext context() {
    return context;
  }

  /** What the groups' resources work with. */
  public List<Object> services() {
    return open.values().stream().flatMap(one -> one.services().stream()).toList();
  }

  public List<RecurringTask> tasks() {
    return Stream.concat(
            open.values().stream().flatMap(one -> one.tasks().stream()), context.tasks().stream())
        .toList();
  }

  public List<Tariff> tariffs() {
    return open.values().stream().flatMap(one -> one.tariffs().stream()).toList();
  }

  /** The read that a group offers at a canonical path. */
  public Optional<OpenGroup.FoundRead> read(Group group, String path) {
    return Objects.requireNonNull(open.get(group)).reads().apply(path);
  }

  /** How often reads were in memory, by the words of the groups that keep some. */
  Map<String, Supplier<CacheFigures>> caches() {
    Map<String, Supplier<CacheFigures>> caches = new LinkedHashMap<>();
    open.forEach((group, one) -> one.cache().ifPresent(kept -> caches.put(group.word(), kept)));
    return caches;
  }

  public void warmUp() {
    open.values().forEach(one -> one.warmUp().run());
  }

  /** Closes all at the same time, waits 10 seconds at most, and closes their upstreams then. */
  @Override
  public void close() {
    CompletableFuture<?>[] closing =
        open.values().stream().map(OpenGroups::closing).toArray(CompletableFuture[]::new);
    try {
      CompletableFuture.allOf(closing).get(DRAIN.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      LOG.warn(
          "Work was still under way after {}; another node, or the next start, goes on", DRAIN);
    } catch (ExecutionException e) {
      LOG.error("A part of the gateway could not be closed", e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    context.close();
  }

  private static CompletableFuture<Void> closing(OpenGroup group) {
    return CompletableFuture.runAsync(group.close(), task -> DRAINING.newThread(task).start());
  }
}
