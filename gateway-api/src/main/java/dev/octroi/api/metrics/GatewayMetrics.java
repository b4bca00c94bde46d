package dev.octroi.api.metrics;

import dev.octroi.api.observe.CallWatcher;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.micrometer.core.instrument.binder.jvm.ClassLoaderMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.FileDescriptorMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
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

  /** What the JVM and its process tell of themselves, as long as this is held. */
  private static final class JvmFigures implements AutoCloseable {

    private final JvmGcMetrics collections = new JvmGcMetrics();
    private final List<MeterBinder> all =
        List.of(
            new ClassLoaderMetrics(),
            new JvmMemoryMetrics(),
            new JvmThreadMetrics(),
            collections,
            new FileDescriptorMetrics(),
            new ProcessorMetrics(),
            new UptimeMetrics());

    JvmFigures(MeterRegistry registry) {
      all.forEach(figures -> figures.bindTo(registry));
    }

    /** Stops listening to the JVM, which would keep this alive. */
    @Override
    public void close() {
      collections.close();
    }
  }
}
