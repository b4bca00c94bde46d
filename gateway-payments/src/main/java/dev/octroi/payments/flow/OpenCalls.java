package dev.octroi.payments.flow;

import dev.octroi.payments.Daemons;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The paid calls in flight until their answers have arrived, and the sweeper that ends those which
 * do not end in time.
 *
 * <p>An unmapped exception, an {@code Error} or a broken host filter can skip response filters
 * (money, in JAX-RS): without the sweeper such a claim would stay open and its signature unusable.
 * An answer may be on its way for ever, to a client that does not read: without the sweeper its
 * payer could not have it on another connection.
 */
final class OpenCalls implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(OpenCalls.class);
  private static final long SWEEP_MILLIS = 250;

  private final Set<PaidCall> calls = ConcurrentHashMap.newKeySet();
  private final Set<PaidCall> leaving = ConcurrentHashMap.newKeySet();
  private final Map<IncomingCall, Instant> repeated = new ConcurrentHashMap<>();
  private final Clock clock;
  private final Settler settler;
  private final ScheduledExecutorService sweeper =
      Executors.newSingleThreadScheduledExecutor(new Daemons("octroi-open-calls"));
  private final ExecutorService late =
      Executors.newCachedThreadPool(new Daemons("octroi-late-calls"));

  OpenCalls(Clock clock, Settler settler) {
    this.clock = clock;
    this.settler = settler;
    var unused =
        sweeper.scheduleWithFixedDelay(
            Daemons.guarded("The sweep of open calls", this::sweep),
            SWEEP_MILLIS,
            SWEEP_MILLIS,
            TimeUnit.MILLISECONDS);
  }

  void open(PaidCall call) {
    calls.add(call);
  }

  /**
   * True if the caller may conclude the call, and then says what became of it by {@link
   * #concluded}; false if the sweeper was faster.
   */
  boolean take(PaidCall call) {
    boolean taken = call.conclude();
    if (taken) {
      leaving.add(call);
    }
    calls.remove(call);
    return taken;
  }

  /** The answer to a call is on its way from here on if it was paid for; else the call is over. */
  void concluded(PaidCall call) {
    if (call.owes()) {
      call.leaves(clock.instant());
    } else {
      leaving.remove(call);
    }
  }

  /**
   * A call that took no claim is answered by what was bought before: its memory is given back once
   * that has left, or after so long where nothing says so.
   */
  void repeats(IncomingCall call, Duration longest) {
    repeated.put(call, clock.instant().plus(longest));
  }

  /** The answer has left the container: the payer has it, unless it is passed on from there. */
  void left(PaidCall call) {
    if (call.passedOn().isEmpty()) {
      delivered(call);
      call.incoming().close();
    } else {
      call.incoming().leaves();
    }
  }

  /** What became of the answers that were passed on under a name. */
  void passedOn(String name, boolean arrived) {
    under(name)
        .forEach(
            call -> {
              call.incoming().close();
              if (arrived) {
                delivered(call);
              } else {
                undelivered(call);
              }
            });
  }

  /** The memory of the answers that are passed on under a name; the caller gives it back. */
  long handOver(String name) {
    return under(name).mapToLong(call -> call.incoming().handOver()).sum();
  }

  private Stream<PaidCall> under(String name) {
    return leaving.stream().filter(call -> call.passedOn().filter(name::equals).isPresent());
  }

  /** The answer has left this node; only the first end of a call counts. */
  void delivered(PaidCall call) {
    if (call.owes()) {
      settler.delivered(call);
      remove(call);
    }
  }

  /** The answer broke on its way, or there is none: a repeat may have it. */
  void undelivered(PaidCall call) {
    if (call.owes()) {
      settler.undelivered(call);
      remove(call);
    }
  }

  private void remove(PaidCall call) {
    calls.remove(call);
    leaving.remove(call);
  }

  /** How many calls have not ended, or have answers that are on their way. */
  int size() {
    return calls.size() + leaving.size();
  }

  private void sweep() {
    Instant now = clock.instant();
    for (PaidCall call : calls) {
      if (now.isAfter(call.time().abandoned()) && call.conclude()) {
        if (call.owesItsUse()) {
          // A chain may take its time, and this thread has others to look after.
          late.execute(() -> end(call, this::abandon));
        } else {
          end(call, this::abandon);
        }
      }
    }
    for (PaidCall call : leaving) {
      if (call.owes() && now.isAfter(call.lastByte())) {
        LOG.info("The answer to payment {} did not arrive in time; it may be had again", call.id());
        end(call, this::undelivered);
        call.incoming().close();
      }
    }
    repeated.forEach(
        (call, until) -> {
          if (!call.holdsAnswer() || now.isAfter(until)) {
            call.close();
            repeated.remove(call);
          }
        });
  }

  private void abandon(PaidCall call) {
    try {
      settler.abandon(call);
    } finally {
      calls.remove(call);
    }
  }

  private static void end(PaidCall call, Consumer<PaidCall> how) {
    try {
      how.accept(call);
    } catch (RuntimeException | Error e) {
      // The ledger's own reconciler closes what cannot be closed from here; the sweeper lives on.
      LOG.warn("Payment {} could not be given back", call.id(), e);
    }
  }

  /** Stops sweeping; open claims stay open for the ledger's reconciler. */
  @Override
  public void close() {
    sweeper.shutdownNow();
    late.shutdown();
  }
}
