package dev.octroi.api.webhook;

import dev.octroi.api.webhook.WebhookStore.Waiting;
import dev.octroi.payments.Daemons;
import dev.octroi.payments.ledger.LedgerUnavailable;
import dev.octroi.services.HostThreads;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.TimeGauge;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How webhooks do: what this node has delivered and given up, and what waits on all nodes, which is
 * read every 15 seconds on a thread of its own. Thread-safe.
 */
public final class WebhookFigures implements MeterBinder, AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(WebhookFigures.class);
  private static final Duration PAUSE = Duration.ofSeconds(15);

  private final List<Endpoint> endpoints;
  private final WebhookStore store;
  private final Clock clock;
  private final Optional<ScheduledExecutorService> thread;
  private volatile Map<String, Waiting> waiting = Map.of();

  WebhookFigures(List<Endpoint> endpoints, WebhookStore store, Clock clock) {
    this.endpoints = endpoints;
    this.store = store;
    this.clock = clock;
    this.thread =
        endpoints.isEmpty()
            ? Optional.empty()
            : Optional.of(HostThreads.OF_THE_JVM.clock("octroi-webhook-figures"));
  }

  @Override
  public void bindTo(MeterRegistry registry) {
    for (Endpoint endpoint : endpoints) {
      Tags tags = Tags.of("endpoint", endpoint.word());
      FunctionCounter.builder(
              "octroi.webhooks.delivered", endpoint.delivered(), LongAdder::doubleValue)
          .description("Events that endpoints have taken")
          .tags(tags)
          .register(registry);
      FunctionCounter.builder("octroi.webhooks.failed", endpoint.failed(), LongAdder::doubleValue)
          .description("Events that were given up after the last attempt")
          .tags(tags)
          .register(registry);
      Gauge.builder("octroi.webhooks.waiting", endpoint, one -> count(one.word()))
          .description("Events that wait to be delivered")
          .tags(tags)
          .register(registry);
      TimeGauge.builder(
              "octroi.webhooks.oldest", endpoint, TimeUnit.MILLISECONDS, one -> age(one.word()))
          .description("How long the oldest of them has waited; zero if there is none")
          .tags(tags)
          .register(registry);
    }
    thread.ifPresent(
        own -> {
          var unused =
              own.scheduleWithFixedDelay(
                  Daemons.guarded("Reading the figures about webhooks", this::read),
                  0,
                  PAUSE.toMillis(),
                  TimeUnit.MILLISECONDS);
        });
  }

  private double count(String word) {
    Waiting now = waiting.get(word);
    return now == null ? 0 : now.count();
  }

  private double age(String word) {
    Waiting now = waiting.get(word);
    return now == null ? 0 : Math.max(0, clock.millis() - now.oldest().toEpochMilli());
  }

  private void read() {
    try {
      waiting = store.waiting();
    } catch (LedgerUnavailable e) {
      LOG.debug("The figures about webhooks stay as they are", e);
    }
  }

  @Override
  public void close() {
    thread.ifPresent(ScheduledExecutorService::shutdown);
  }
}
