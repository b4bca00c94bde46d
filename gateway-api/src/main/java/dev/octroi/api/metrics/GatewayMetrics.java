package dev.octroi.api.metrics;

import dev.octroi.api.observe.CallWatcher;
import dev.octroi.api.observe.ObservedCall;
import dev.octroi.api.observe.ObservedCall.Endpoint;
import dev.octroi.payments.PaymentObserver.PaymentStep;
import dev.octroi.payments.Usd;
import dev.octroi.services.upstream.UpstreamClient.UpstreamObserver.Watched;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
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
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
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

  /**
   * Counts and times calls, the steps of their payments and the upstreams behind them. Its labels
   * are words of the gateway's own, so that their number is bounded. Thread-safe.
   */
  static final class CallFigures implements CallWatcher {

    private static final double MICROS = 1_000_000;

    /** From a read out of memory to a model that thinks for minutes. */
    private static final Duration[] BUCKETS =
        Stream.of(1, 2, 5, 10, 25, 50, 100, 250, 500, 1000, 2500, 5000, 10_000, 30_000, 120_000)
            .map(Duration::ofMillis)
            .toArray(Duration[]::new);

    private record Answered(Endpoint endpoint, String status) {}

    private record Timed(String what, String how) {}

    private final MeterRegistry registry;
    private final Counter cut;
    private final ConcurrentMap<Answered, Counter> calls = new ConcurrentHashMap<>();
    private final ConcurrentMap<Timed, Timer> latencies = new ConcurrentHashMap<>();
    private final ConcurrentMap<Timed, Timer> steps = new ConcurrentHashMap<>();
    private final ConcurrentMap<Timed, Timer> upstreams = new ConcurrentHashMap<>();
    private final ConcurrentMap<Endpoint, DistributionSummary> charges = new ConcurrentHashMap<>();

    CallFigures(MeterRegistry registry) {
      this.registry = registry;
      this.cut =
          Counter.builder("octroi.answers.cut")
              .description("Answers whose caller had gone before their last byte")
              .register(registry);
    }

    @Override
    public void ended(ObservedCall call) {
      String status = status(call.status());
      calls.computeIfAbsent(new Answered(call.endpoint(), status), this::counter).increment();
      latencies
          .computeIfAbsent(new Timed(call.endpoint().group(), status), this::latency)
          .record(call.nanos(), TimeUnit.NANOSECONDS);
      call.charge().ifPresent(charge -> charged(call.endpoint(), charge));
    }

    @Override
    public void cut(ObservedCall call) {
      cut.increment();
    }

    private void charged(Endpoint endpoint, Usd charge) {
      charges.computeIfAbsent(endpoint, this::charge).record(charge.micros() / MICROS);
    }

    @Override
    public void step(@Nullable ObservedCall call, PaymentStep step) {
      steps
          .computeIfAbsent(new Timed(step.kind().word(), step.outcome()), this::step)
          .record(step.ended() - step.began(), TimeUnit.NANOSECONDS);
      if (call == null && step.charge() != null) {
        charged(new Endpoint("beside", "CHARGE", "account"), step.charge());
      }
    }

    @Override
    public Watched upstream(@Nullable ObservedCall call, String upstream, String method) {
      long began = System.nanoTime();
      return status ->
          upstreams
              .computeIfAbsent(
                  new Timed(upstream, status == 0 ? "failed" : status(status)), this::upstream)
              .record(System.nanoTime() - began, TimeUnit.NANOSECONDS);
    }

    /** A challenge and a limit are no mistakes of the caller's, and so are classes of their own. */
    private static String status(int status) {
      return switch (status) {
        case 402, 429 -> Integer.toString(status);
        default -> status / 100 + "xx";
      };
    }

    private Counter counter(Answered answered) {
      return Counter.builder("octroi.calls")
          .description("Calls that were answered")
          .tag("group", answered.endpoint().group())
          .tag("method", answered.endpoint().method())
          .tag("endpoint", answered.endpoint().path())
          .tag("status", answered.status())
          .register(registry);
    }

    private Timer latency(Timed timed) {
      return timer("octroi.call", "From the request to the last byte of its answer")
          .tag("group", timed.what())
          .tag("status", timed.how())
          .register(registry);
    }

    private Timer step(Timed timed) {
      return timer("octroi.payment.step", "Verifying, claiming, settling and releasing payments")
          .tag("step", timed.what())
          .tag("outcome", timed.how())
          .register(registry);
    }

    private Timer upstream(Timed timed) {
      return timer("octroi.upstream", "Calls of upstreams; of streams until their first byte")
          .tag("upstream", timed.what())
          .tag("outcome", timed.how())
          .register(registry);
    }

    private static Timer.Builder timer(String name, String description) {
      return Timer.builder(name).description(description).serviceLevelObjectives(BUCKETS);
    }

    private DistributionSummary charge(Endpoint endpoint) {
      return DistributionSummary.builder("octroi.charge.dollars")
          .description("What calls were charged; exact amounts are in the books")
          .tag("group", endpoint.group())
          .tag("endpoint", endpoint.path())
          .register(registry);
    }
  }
}
