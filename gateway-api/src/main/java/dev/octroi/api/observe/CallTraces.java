package dev.octroi.api.observe;

import dev.octroi.api.settings.GatewaySettings.TraceSettings;
import dev.octroi.payments.Exchange;
import dev.octroi.payments.PaymentObserver.PaymentStep;
import dev.octroi.payments.Usd;
import dev.octroi.services.upstream.UpstreamClient.UpstreamObserver.Watched;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanBuilder;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.propagation.TextMapGetter;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporter;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporterBuilder;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.export.BatchSpanProcessor;
import io.opentelemetry.sdk.trace.samplers.Sampler;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A span for every call, and below it one for each step of its payment and each upstream that it
 * asked. A caller's {@code traceparent} is continued and upstreams are sent ours; whether a trace
 * is kept is decided here and not by callers, who could have everything kept otherwise.
 * Thread-safe.
 */
public final class CallTraces implements CallWatcher, AutoCloseable {

  private static final AttributeKey<String> METHOD = AttributeKey.stringKey("http.request.method");
  private static final AttributeKey<String> ROUTE = AttributeKey.stringKey("http.route");
  private static final AttributeKey<Long> STATUS =
      AttributeKey.longKey("http.response.status_code");
  private static final AttributeKey<String> REQUEST = AttributeKey.stringKey("octroi.request");
  private static final AttributeKey<String> GROUP = AttributeKey.stringKey("octroi.group");
  private static final AttributeKey<String> OUTCOME = AttributeKey.stringKey("octroi.outcome");
  private static final AttributeKey<String> NETWORK = AttributeKey.stringKey("octroi.network");
  private static final AttributeKey<String> PAYER = AttributeKey.stringKey("octroi.payer");
  private static final AttributeKey<String> PAYMENT = AttributeKey.stringKey("octroi.payment");
  private static final AttributeKey<String> CHARGE =
      AttributeKey.stringKey("octroi.charge.dollars");
  private static final AttributeKey<String> TRANSACTION =
      AttributeKey.stringKey("octroi.transaction");

  private static final W3CTraceContextPropagator W3C = W3CTraceContextPropagator.getInstance();

  private final Exporting exporting;
  private final Tracer tracer;
  private final Clock clock;

  public CallTraces(Exporting exporting, Clock clock) {
    this.exporting = exporting;
    this.tracer = exporting.tracer();
    this.clock = clock;
  }

  /** Traces as set; nothing is sent before the first call. */
  public static CallTraces of(TraceSettings settings, URI endpoint, Clock clock) {
    return new CallTraces(Exporting.to(endpoint, settings), clock);
  }

  @Override
  public void begun(ObservedCall call, Exchange request) {
    Context caller = W3C.extract(Context.root(), request, RequestHeaders.GETTER);
    Span span =
        tracer
            .spanBuilder(call.method())
            .setParent(caller)
            .setSpanKind(SpanKind.SERVER)
            .setStartTimestamp(call.at())
            .setAttribute(REQUEST, call.requestId())
            .startSpan();
    call.attach(Span.class, span);
    call.traced(span.getSpanContext().getTraceId());
  }

  @Override
  public void step(@Nullable ObservedCall call, PaymentStep step) {
    Instant end = clock.instant();
    Instant begin = end.minus(Duration.ofNanos(step.ended() - step.began()));
    SpanBuilder builder =
        below(call, "payment " + step.kind().word())
            .setStartTimestamp(begin)
            .setAttribute(OUTCOME, step.outcome())
            .setAttribute(NETWORK, step.network());
    set(builder, PAYER, step.payer());
    set(builder, PAYMENT, step.payment());
    set(builder, TRANSACTION, step.transaction());
    Usd charge = step.charge();
    set(builder, CHARGE, charge == null ? null : charge.dollars());
    builder.startSpan().end(end);
  }

  @Override
  public Watched upstream(@Nullable ObservedCall call, String upstream, String method) {
    Span span =
        below(call, method + " " + upstream)
            .setSpanKind(SpanKind.CLIENT)
            .setAttribute(METHOD, method)
            .startSpan();
    Map<String, String> headers = new HashMap<>(2);
    W3C.inject(Context.root().with(span), headers, (all, name, value) -> put(all, name, value));
    return new UpstreamSpan(span, headers);
  }

  @Override
  public void ended(ObservedCall call) {
    call.attached(Span.class).ifPresent(span -> end(span, call));
  }

  private void end(Span span, ObservedCall call) {
    span.updateName(call.endpoint().method() + " " + call.endpoint().path());
    span.setAttribute(METHOD, call.endpoint().method());
    span.setAttribute(ROUTE, call.endpoint().path());
    span.setAttribute(GROUP, call.endpoint().group());
    span.setAttribute(STATUS, (long) call.status());
    span.setAttribute(OUTCOME, call.paymentState());
    if (call.status() >= 500) {
      span.setStatus(StatusCode.ERROR);
    }
    span.end(call.at().plusNanos(call.nanos()));
  }

  private SpanBuilder below(@Nullable ObservedCall call, String name) {
    SpanBuilder builder = tracer.spanBuilder(name);
    Span parent = call == null ? null : call.attached(Span.class).orElse(null);
    return parent == null ? builder.setNoParent() : builder.setParent(Context.root().with(parent));
  }

  private static void set(SpanBuilder builder, AttributeKey<String> key, @Nullable String value) {
    if (value != null) {
      builder.setAttribute(key, value);
    }
  }

  private static void put(@Nullable Map<String, String> all, String name, String value) {
    if (all != null) {
      all.put(name, value);
    }
  }

  /** One call of an upstream. */
  private record UpstreamSpan(Span span, Map<String, String> headers) implements Watched {

    @Override
    public void ended(int status) {
      if (status == 0) {
        span.setStatus(StatusCode.ERROR);
      } else {
        span.setAttribute(STATUS, (long) status);
      }
      span.end();
    }
  }

  /** Sends what is left, for two seconds at most. */
  @Override
  public void close() {
    exporting.close();
  }

  /** Reads a request's headers for the propagator that looks for a trace in them. */
  private enum RequestHeaders implements TextMapGetter<Exchange> {
    GETTER;

    @Override
    public Iterable<String> keys(Exchange request) {
      return W3C.fields();
    }

    @Override
    public @Nullable String get(@Nullable Exchange request, String name) {
      return request == null ? null : request.header(name);
    }
  }

  /**
   * Sends spans in batches, on a thread of its own. A receiver that is slow or gone costs calls
   * nothing: at most 2048 spans wait for it, the rest is dropped.
   */
  private record Exporting(SdkTracerProvider provider) implements AutoCloseable {

    private static final Duration DEADLINE = Duration.ofSeconds(5);
    private static final Duration PAUSE = Duration.ofSeconds(2);
    private static final long CLOSE_SECONDS = 2;
    private static final double PERCENT = 100;

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
}
