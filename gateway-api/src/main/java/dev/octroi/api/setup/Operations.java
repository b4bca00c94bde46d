package dev.octroi.api.setup;

import dev.octroi.api.health.Readiness;
import dev.octroi.api.health.Readiness.HealthCheck;
import dev.octroi.api.metrics.GatewayMetrics;
import dev.octroi.api.metrics.MoneyFigures;
import dev.octroi.api.metrics.NodeFigures;
import dev.octroi.api.observe.AccessLog;
import dev.octroi.api.observe.CallOutcomes;
import dev.octroi.api.observe.CallTraces;
import dev.octroi.api.observe.CallWatcher;
import dev.octroi.api.observe.Observation;
import dev.octroi.api.settings.GatewaySettings;
import dev.octroi.api.settings.GatewaySettings.AccessLogForm;
import dev.octroi.api.webhook.WebhookFigures;
import dev.octroi.payments.facilitator.Facilitator;
import dev.octroi.payments.ledger.jdbc.UnresolvedFigures;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.sql.Connection;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;

/**
 * What operators ask of a running gateway.
 *
 * @param read what is read from time to time for the figures; empty where nothing is counted
 */
public record Operations(Watching watching, Readiness readiness, Optional<ReadFigures> read)
    implements AutoCloseable {

  /** How long a connection that was taken from the pool may take to answer, in seconds. */
  private static final int CONNECTION_SECONDS = 1;

  /** What is read from time to time. */
  public record ReadFigures(MoneyFigures money, WebhookFigures webhooks) implements AutoCloseable {

    @Override
    public void close() {
      money.close();
      webhooks.close();
    }
  }

  /**
   * What the host brings.
   *
   * @param checks must be well besides
   * @param figures are shown besides
   */
  public record OfHost(List<HealthCheck> checks, List<MeterBinder> figures) {}

  /** Begins to look at the parts of a gateway. */
  public static Operations open(
      Watching watching, PaymentRuntime runtime, DataSource database, OfHost host, Clock clock) {
    List<HealthCheck> checks = new ArrayList<>();
    checks.add(
        new HealthCheck(
            "database",
            "See that the database runs and can be reached, and that its pool is not used up.",
            () -> answers(database)));
    checks.add(
        new HealthCheck(
            "ledger",
            "This node's heartbeat does not reach the database, or its clock differs from the"
                + " database's; look at the log for which.",
            () -> runtime.ledger().pulse().alive()));
    runtime.facilitators().forEach(facilitator -> checks.add(usable(facilitator)));
    checks.addAll(host.checks());
    Optional<ReadFigures> read =
        watching
            .metrics()
            .map(
                metrics -> {
                  MoneyFigures figures =
                      new MoneyFigures(
                          new UnresolvedFigures(database), runtime.facilitators(), clock);
                  metrics.add(figures);
                  WebhookFigures webhooks = runtime.webhooks().figures();
                  metrics.add(webhooks);
                  metrics.add(
                      new NodeFigures(
                          runtime.payments(),
                          runtime.ledger(),
                          runtime.limits(),
                          runtime.groups().caches()));
                  host.figures().forEach(metrics::add);
                  return new ReadFigures(figures, webhooks);
                });
    return new Operations(
        watching, new Readiness(checks, () -> runtime.ledger().pulse().needsRestart()), read);
  }

  private static boolean answers(DataSource database) throws Exception {
    try (Connection connection = database.getConnection()) {
      return connection.isValid(CONNECTION_SECONDS);
    }
  }

  /** One network is enough: what cannot be settled is not offered. */
  private static HealthCheck usable(Facilitator facilitator) {
    String networks = String.join(", ", facilitator.networks());
    return new HealthCheck(
        "facilitator",
        "Payments on "
            + networks
            + " can be neither verified nor settled: see that the facilitator, or the chain's"
            + " node, can be reached, and that a wallet can pay for gas.",
        () -> facilitator.networks().stream().anyMatch(facilitator::isUsable));
  }

  @Override
  public void close() {
    read.ifPresent(ReadFigures::close);
    readiness.close();
    watching.close();
  }

  /**
   * Who looks at calls, as the settings have it: figures, traces, the log.
   *
   * @param outcomes counts where there is an operator's token, and so an operator to look at it
   */
  public record Watching(
      Observation observation,
      Optional<GatewayMetrics> metrics,
      Optional<CallTraces> traces,
      CallOutcomes outcomes)
      implements AutoCloseable {

    public static Watching of(GatewaySettings settings, Clock clock) {
      Optional<GatewayMetrics> metrics =
          settings.metrics().enabled() ? Optional.of(new GatewayMetrics()) : Optional.empty();
      Optional<CallTraces> traces =
          settings
              .traces()
              .endpoint()
              .map(endpoint -> CallTraces.of(settings.traces(), endpoint, clock));
      List<CallWatcher> watchers = new ArrayList<>();
      metrics.map(GatewayMetrics::calls).ifPresent(watchers::add);
      traces.ifPresent(watchers::add);
      CallOutcomes outcomes = new CallOutcomes(clock);
      if (!settings.admin().token().value().isEmpty()) {
        watchers.add(outcomes);
      }
      if (settings.accessLog() != AccessLogForm.OFF) {
        watchers.add(new AccessLog(settings.accessLog()));
      }
      return new Watching(new Observation(watchers, clock), metrics, traces, outcomes);
    }

    @Override
    public void close() {
      traces.ifPresent(CallTraces::close);
      metrics.ifPresent(GatewayMetrics::close);
    }
  }
}
