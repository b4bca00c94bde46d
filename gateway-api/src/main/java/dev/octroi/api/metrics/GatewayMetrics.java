package dev.octroi.api.metrics;

import dev.octroi.api.observe.CallWatcher;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/**
 * Everything that this node counts, in a registry of its own. Money in it is for plots: exact
 * amounts are in the books. Thread-safe.
 */
public final class GatewayMetrics implements AutoCloseable {

  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final CallFigures calls = new CallFigures(registry);

  /** The registry holds on weakly to what it asks. */
  private final List<MeterBinder> kept = new CopyOnWriteArrayList<>();

  /** Begun at the first scrape: it takes long to load, and few scrape while a gateway starts. */
  private @Nullable JvmFigures jvm;

  /** Counts calls. */
  public CallWatcher calls() {
    return calls;
  }

  /** Adds figures, such as a host's own. */
  public void add(MeterBinder figures) {
    kept.add(figures);
    figures.bindTo(registry);
  }

  /** All figures in Prometheus's text form; the JVM counts its collections from the first time. */
  byte[] scrape() {
    watchTheJvm();
    return registry.scrape().getBytes(StandardCharsets.UTF_8);
  }

  private synchronized void watchTheJvm() {
    if (jvm == null) {
      jvm = new JvmFigures(registry);
    }
  }

  /** Ends what it began. */
  @Override
  public synchronized void close() {
    if (jvm != null) {
      jvm.close();
    }
    registry.close();
  }
}
