package dev.octroi.api.setup;

import dev.octroi.api.metrics.GatewayMetrics;
import dev.octroi.api.observe.AccessLog;
import dev.octroi.api.observe.CallWatcher;
import dev.octroi.api.observe.Observation;
import dev.octroi.api.settings.AccessLogForm;
import dev.octroi.api.settings.GatewaySettings;
import dev.octroi.api.trace.CallTraces;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Who looks at calls, as the settings have it: figures, traces, the log. */
public record Watching(
    Observation observation, Optional<GatewayMetrics> metrics, Optional<CallTraces> traces)
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
    if (settings.accessLog() != AccessLogForm.OFF) {
      watchers.add(new AccessLog(settings.accessLog()));
    }
    return new Watching(new Observation(watchers, clock), metrics, traces);
  }

  @Override
  public void close() {
    traces.ifPresent(CallTraces::close);
    metrics.ifPresent(GatewayMetrics::close);
  }
}
