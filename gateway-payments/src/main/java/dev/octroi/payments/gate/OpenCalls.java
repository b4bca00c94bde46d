package dev.octroi.payments.gate;

import dev.octroi.payments.Daemons;
import java.time.Clock;
import java.time.Instant;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The paid calls in flight, and the sweeper that closes those which no response filter closed.
 *
 * <p>An unmapped exception, an {@code Error} or a broken host filter can skip response filters
 * (money, in JAX-RS): without the sweeper such a claim would stay open and its signature unusable.
 */
final class OpenCalls implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(OpenCalls.class);
  private static final long SWEEP_MILLIS = 250;

  private final Set<PaidCall> calls = ConcurrentHashMap.newKeySet();
  private final Clock clock;
  private final Consumer<PaidCall> abandon;
  private final ScheduledExecutorService sweeper =
      Executors.newSingleThreadScheduledExecutor(new Daemons("octroi-open-calls"));

  OpenCalls(Clock clock, Consumer<PaidCall> abandon) {
    this.clock = clock;
    this.abandon = abandon;
    var unused =
        sweeper.scheduleWithFixedDelay(
            this::sweep, SWEEP_MILLIS, SWEEP_MILLIS, TimeUnit.MILLISECONDS);
  }

  void open(PaidCall call) {
    calls.add(call);
  }

  /** True if the caller may conclude the call; false if the sweeper was faster. */
  boolean take(PaidCall call) {
    calls.remove(call);
    return call.conclude();
  }

  int size() {
    return calls.size();
  }

  private void sweep() {
    Instant now = clock.instant();
    for (PaidCall call : calls) {
      if (now.isAfter(call.time().abandoned()) && take(call)) {
        close(call);
      }
    }
  }

  private void close(PaidCall call) {
    try {
      abandon.accept(call);
    } catch (RuntimeException e) {
      // The ledger's own reconciler closes what cannot be closed from here; the sweeper lives on.
      LOG.warn("Payment {} could not be given back", call.id(), e);
    }
  }

  /** Stops sweeping; open claims stay open for the ledger's reconciler. */
  @Override
  public void close() {
    sweeper.shutdownNow();
  }
}
