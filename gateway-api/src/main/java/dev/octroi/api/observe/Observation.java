package dev.octroi.api.observe;

import dev.octroi.payments.CallFailure;
import dev.octroi.payments.Exchange;
import dev.octroi.payments.PaymentObserver;
import dev.octroi.payments.PaymentObserver.PaymentStep;
import dev.octroi.services.upstream.UpstreamClient.UpstreamObserver;
import java.time.Clock;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;

/**
 * Brings together what is seen of a call in different places: its request, the steps of its
 * payment, the upstreams that it asks. They share the thread, and in the log its lines share the
 * request's id and that of its trace. Thread-safe.
 */
public final class Observation implements PaymentObserver, UpstreamObserver {

  /** The name of the request's id among the diagnostic words of the log. */
  public static final String REQUEST = "request";

  /** The name of the trace's id among them. */
  public static final String TRACE = "trace";

  private static final Logger LOG = LoggerFactory.getLogger(Observation.class);

  private final List<CallWatcher> watchers;
  private final Clock clock;

  /** The call that this thread serves; taken off when it ends, so that no thread keeps it. */
  @SuppressWarnings("ThreadLocalUsage") // of this gateway, so that it goes with it
  private final ThreadLocal<@Nullable ObservedCall> current = new ThreadLocal<>();

  /** The call that this thread works for, while another one serves it. */
  @SuppressWarnings("ThreadLocalUsage") // as above
  private final ThreadLocal<@Nullable CallFailure> carried = new ThreadLocal<>();

  public Observation(List<CallWatcher> watchers, Clock clock) {
    this.watchers = List.copyOf(watchers);
    this.clock = clock;
  }

  /** A call has come in, on the thread that serves it. */
  public ObservedCall begin(Exchange request) {
    ObservedCall call = new ObservedCall(request, clock.instant());
    current.set(call);
    MDC.put(REQUEST, call.requestId());
    tell(watcher -> watcher.begun(call, request));
    call.trace().ifPresent(trace -> MDC.put(TRACE, trace));
    return call;
  }

  /** The caller has gone before the last byte of the answer. */
  public void cut(ObservedCall call) {
    tell(watcher -> watcher.cut(call));
  }

  /** Nothing more of the answer leaves. */
  public void end(ObservedCall call) {
    if (call.end()) {
      tell(watcher -> watcher.ended(call));
      current.remove();
      MDC.remove(REQUEST);
      MDC.remove(TRACE);
    }
  }

  @Override
  public void ended(PaymentStep step) {
    ObservedCall call = current.get();
    if (call != null) {
      call.note(step);
    }
    tell(watcher -> watcher.step(call, step));
  }

  @Override
  public Watched begins(String upstream, String method) {
    ObservedCall call = current.get();
    CallFailure failure = call == null ? carried.get() : call.failure();
    if (failure != null) {
      failure.noteUpstream(upstream);
    }
    Map<String, String> headers = new HashMap<>(2);
    List<Watched> each =
        watchers.stream().map(watcher -> watcher.upstream(call, upstream, method)).toList();
    each.forEach(watched -> headers.putAll(watched.headers()));
    return new Watched() {
      @Override
      public Map<String, String> headers() {
        return headers;
      }

      @Override
      public void ended(int status) {
        each.forEach(watched -> watched.ended(status));
      }
    };
  }

  @Override
  public Runnable carried(Runnable work) {
    ObservedCall call = current.get();
    if (call == null) {
      return work;
    }
    CallFailure failure = call.failure();
    return () -> {
      carried.set(failure);
      try {
        work.run();
      } finally {
        carried.remove();
      }
    };
  }

  private void tell(Consumer<CallWatcher> what) {
    for (CallWatcher watcher : watchers) {
      try {
        what.accept(watcher);
      } catch (RuntimeException e) {
        LOG.error("{} failed at a call", watcher.getClass().getSimpleName(), e);
      }
    }
  }
}
