package dev.octroi.api;

import dev.octroi.api.image.ImageBackgroundService;
import dev.octroi.api.phone.PhoneBackgroundService;
import dev.octroi.api.price.PriceBook;
import dev.octroi.api.settings.GatewaySettings;
import dev.octroi.payments.Tariff;
import dev.octroi.payments.reconcile.RecurringTask;
import dev.octroi.services.HostThreads;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The groups' parts that outlive requests, opened in one place and closed together. */
final class BackgroundServices implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(BackgroundServices.class);
  private static final Duration DRAIN = Duration.ofSeconds(10);
  private static final ThreadFactory DRAINING = HostThreads.OF_THE_JVM.named("octroi-drain");

  private final JobContext context;
  private final List<BackgroundService> started = new ArrayList<>();

  private BackgroundServices(JobContext context) {
    this.context = context;
  }

  /**
   * Opens all of them, a line a group: {@code all.started.add(ImageBackgroundService.open(settings,
   * services, workshop))}; if one cannot be opened, those before it are closed again.
   */
  static BackgroundServices open(
      GatewaySettings settings, Services services, PriceBook prices, JobContext context) {
    BackgroundServices all = new BackgroundServices(context);
    try {
      all.started.add(
          ImageBackgroundService.open(settings.images(), services.pictures().sources(), context));
      // media
      PhoneBackgroundService phone = services.phone().open(settings, prices, context);
      all.started.add(phone);
      all.started.add(VoiceBackgroundService.open(settings, phone, context, services.host()));
    } catch (RuntimeException e) {
      all.close();
      throw e;
    }
    return all;
  }

  /** A group's part, for its resources. */
  <W extends BackgroundService> W service(Class<W> type) {
    return started.stream()
        .filter(type::isInstance)
        .map(type::cast)
        .findFirst()
        .orElseThrow(() -> new IllegalStateException(type.getSimpleName() + " is not open"));
  }

  JobContext context() {
    return context;
  }

  List<RecurringTask> tasks() {
    return Stream.concat(
            started.stream().flatMap(service -> service.tasks().stream()), context.tasks().stream())
        .toList();
  }

  List<Tariff> tariffs() {
    return started.stream().flatMap(service -> service.tariffs().stream()).toList();
  }

  /** Closes all at the same time, and waits 10 seconds at most. */
  @Override
  public void close() {
    CompletableFuture<?>[] closing =
        started.stream().map(BackgroundServices::closing).toArray(CompletableFuture[]::new);
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
  }

  private static CompletableFuture<Void> closing(BackgroundService service) {
    return CompletableFuture.runAsync(service::close, task -> DRAINING.newThread(task).start());
  }
}
