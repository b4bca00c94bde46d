package dev.octroi.api;

import dev.octroi.api.image.ImageWorks;
import dev.octroi.api.phone.PhoneWorks;
import dev.octroi.api.price.PriceBook;
import dev.octroi.api.settings.GatewaySettings;
import dev.octroi.payments.Tariff;
import dev.octroi.payments.reconcile.Chore;
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
final class Workrooms implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(Workrooms.class);
  private static final Duration DRAIN = Duration.ofSeconds(10);
  private static final ThreadFactory DRAINING = HostThreads.OF_THE_JVM.named("octroi-drain");

  private final Workshop workshop;
  private final List<Works> rooms = new ArrayList<>();

  private Workrooms(Workshop workshop) {
    this.workshop = workshop;
  }

  /**
   * Opens all of them, a line a group: {@code all.rooms.add(ImageWorks.open(settings, services,
   * workshop))}; if one cannot be opened, those before it are closed again.
   */
  static Workrooms open(
      GatewaySettings settings, Services services, PriceBook prices, Workshop workshop) {
    Workrooms all = new Workrooms(workshop);
    try {
      all.rooms.add(ImageWorks.open(settings.images(), services.pictures().sources(), workshop));
      // media
      PhoneWorks phone = services.phone().open(settings, prices, workshop);
      all.rooms.add(phone);
      all.rooms.add(VoiceWorks.open(settings, phone, workshop, services.host()));
    } catch (RuntimeException e) {
      all.close();
      throw e;
    }
    return all;
  }

  /** A group's part, for its resources. */
  <W extends Works> W room(Class<W> type) {
    return rooms.stream()
        .filter(type::isInstance)
        .map(type::cast)
        .findFirst()
        .orElseThrow(() -> new IllegalStateException(type.getSimpleName() + " is not open"));
  }

  Workshop workshop() {
    return workshop;
  }

  List<Chore> chores() {
    return Stream.concat(
            rooms.stream().flatMap(room -> room.chores().stream()), workshop.chores().stream())
        .toList();
  }

  List<Tariff> tariffs() {
    return rooms.stream().flatMap(room -> room.tariffs().stream()).toList();
  }

  /** Closes all at the same time, and waits 10 seconds at most. */
  @Override
  public void close() {
    CompletableFuture<?>[] closing =
        rooms.stream().map(Workrooms::closing).toArray(CompletableFuture[]::new);
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

  private static CompletableFuture<Void> closing(Works room) {
    return CompletableFuture.runAsync(room::close, task -> DRAINING.newThread(task).start());
  }
}
