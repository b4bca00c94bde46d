package dev.octroi.api.trace;

import dev.octroi.api.settings.TraceSettings;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporter;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporterBuilder;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.export.BatchSpanProcessor;
import io.opentelemetry.sdk.trace.samplers.Sampler;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * Sends spans in batches, on a thread of its own. A receiver that is slow or gone costs calls
 * nothing: at most 2048 spans wait for it, the rest is dropped.
 */
final class Exporting implements AutoCloseable {

  private static final Duration DEADLINE = Duration.ofSeconds(5);
  private static final Duration PAUSE = Duration.ofSeconds(2);
  private static final long CLOSE_SECONDS = 2;
  private static final double PERCENT = 100;

  private final SdkTracerProvider provider;

  private Exporting(SdkTracerProvider provider) {
    this.provider = provider;
  }

  static Exporting to(URI endpoint, TraceSettings settings) {
    OtlpHttpSpanExporterBuilder exporter =
        OtlpHttpSpanExporter.builder()
            .setEndpoint(endpoint.toString())
            .setTimeout(DEADLINE)
            .setConnectTimeout(DEADLINE);
    String authorization = settings.authorization().value();
    if (!authorization.isEmpty()) {
      exporter.addHeader("Authorization", authorization);
    }
    BatchSpanProcessor batches =
        BatchSpanProcessor.builder(exporter.build())
            .setScheduleDelay(PAUSE)
            .setExporterTimeout(DEADLINE)
            .build();
    return new Exporting(
        SdkTracerProvider.builder()
            .addSpanProcessor(batches)
            .setSampler(Sampler.traceIdRatioBased(settings.percent() / PERCENT))
            .setResource(
                Resource.create(
                    Attributes.of(AttributeKey.stringKey("service.name"), settings.service())))
            .build());
  }

  Tracer tracer() {
    return provider.get("dev.octroi");
  }

  @Override
  public void close() {
    var unused = provider.shutdown().join(CLOSE_SECONDS, TimeUnit.SECONDS);
  }
}
