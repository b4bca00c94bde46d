package dev.octroi.api.metrics;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.micrometer.core.instrument.binder.jvm.ClassLoaderMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.FileDescriptorMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import java.util.List;

/** What the JVM and its process tell of themselves, as long as this is held. */
final class JvmFigures implements AutoCloseable {

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
