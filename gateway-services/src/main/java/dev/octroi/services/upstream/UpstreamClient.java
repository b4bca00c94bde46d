package dev.octroi.services.upstream;

import static java.util.concurrent.TimeUnit.MILLISECONDS;

import dev.octroi.services.Deadline;
import dev.octroi.services.Failure;
import dev.octroi.services.HostThreads;
import dev.octroi.services.upstream.Exchange.FailureLog;
import dev.octroi.services.upstream.UpstreamSettings.BreakerSettings;
import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Calls one upstream over HTTP/1.1, with everything that keeps its troubles from becoming ours: a
 * deadline over the whole call, a connection cap, a size limit, one repetition of reads, and a
 * circuit breaker. Thread-safe; holds no thread while an upstream thinks.
 *
 * <p>Failures are {@link dev.octroi.services.Failure}s: 502 {@code upstream_failed} for a call that
 * failed, timed out or was answered with what its contract does not allow, 503 {@code
 * upstream_unavailable} with a time to wait for an upstream that is down, unreachable or has no
 * free connection. An answer of 400 and above is an answer, except where the upstream refuses our
 * credential (401, 402, 403): that is never the caller's business, so 502.
 */
public final class UpstreamClient implements AutoCloseable {

  private static final Duration CONNECT = Duration.ofSeconds(5);

  static final long PAUSE_MILLIS = 50;
  static final long LONGEST_PAUSE_MILLIS = 250;

  /** The call ends itself at its deadline and knows better than its reader why. */
  private static final Duration GRACE = Duration.ofSeconds(1);

  private static final int MOST_WORDS = 1_000;

  private final UpstreamSettings settings;
  private final UpstreamObserver observer;
  private final ExecutorService executor;
  private final Exchange.Line line;
  private final LastCalls last;

  /** A client whose calls no observer is told of. */
  public UpstreamClient(UpstreamSettings settings) {
    this(settings, UpstreamHost.PLAIN);
  }

  public UpstreamClient(UpstreamSettings settings, UpstreamHost host) {
    this.settings = settings;
    this.observer = host.observer();
    this.executor = host.threads().pool("upstream-" + settings.name());
    this.last = new LastCalls(settings.breaker().window());
    Duration connect = settings.deadline().compareTo(CONNECT) < 0 ? settings.deadline() : CONNECT;
    HttpClient.Builder http =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .followRedirects(HttpClient.Redirect.NEVER)
            .connectTimeout(connect)
            .executor(executor);
    this.line =
        new Exchange.Line(
            settings,
            new FirstCallClient(() -> host.connections().apply(settings, http)),
            executor,
            new ConnectionSlots(settings.maxConnections(), settings.deadline()),
            breaker(settings));
  }

  public UpstreamSettings settings() {
    return settings;
  }

  /** How the upstream does at this moment, as this node sees it. */
  public UpstreamHealth health() {
    CircuitBreaker breaker = line.breaker();
    return new UpstreamHealth(
        UpstreamHealth.State.of(breaker.getState()),
        last.calls(),
        last.failed(),
        settings.maxConnections() - line.slots().free(),
        line.slots().waiting());
  }

  /** {@link #sendAsync} and the wait for its answer. */
  public UpstreamAnswer send(UpstreamRequest request, Deadline deadline) {
    CompletableFuture<UpstreamAnswer> answer = sendAsync(request, deadline);
    Deadline afterwards = new Deadline(deadline.nanoTime() + GRACE.toNanos());
    return Waiting.until(afterwards, answer, () -> answer.cancel(true));
  }

  /**
   * Starts a call. Cancelling the future cancels the call and closes its connection.
   *
   * @param deadline when the call must have ended; the upstream's own deadline holds besides, but
   *     not for a caller's own query
   * @return completes with the answer, or exceptionally with a {@link dev.octroi.services.Failure}
   */
  @SuppressWarnings("FutureReturnValueIgnored") // the watcher's, which has nothing to say
  public CompletableFuture<UpstreamAnswer> sendAsync(UpstreamRequest request, Deadline deadline) {
    Deadline ends = request.longRunning() ? deadline : deadline.atMost(settings.deadline());
    UpstreamObserver.Watched watched = observer.begins(settings.name(), request.method());
    HttpRequest wire = wire(request, watched.headers());
    CompletableFuture<UpstreamAnswer> answer = new Exchange(line, request, wire, ends).start();
    answer.whenComplete(
        (said, error) -> {
          if (!answer.isCancelled()) {
            last.note(said == null ? 0 : said.status());
          }
          watched.ended(said == null ? 0 : said.status());
        });
    return answer;
  }

  /**
   * Starts a call whose answer is read while it is written, and waits for its first byte. The
   * caller closes the stream; until then, or its end, it has one of the upstream's connections.
   *
   * @param deadline when the stream must have ended; the upstream's own deadline, which is for
   *     whole answers, does not hold
   * @throws dev.octroi.services.Failure if no first byte comes in time
   */
  public UpstreamStream open(StreamRequest request, Deadline deadline) {
    UpstreamObserver.Watched watched = observer.begins(settings.name(), "POST");
    int status = 0;
    try {
      HttpRequest wire = wire(request, watched.headers());
      UpstreamStream stream =
          new StreamExchange(line, wire, request.firstByte(), request.idle(), deadline).open();
      status = stream.status();
      return stream;
    } finally {
      last.note(status);
      watched.ended(status);
    }
  }

  /** Tells the log what is wrong with an answer that no caller gets, if that is known. */
  public void warn(Failure unreadable) {
    unreadable.detail().ifPresent(what -> FailureLog.warn(settings.name(), 200, what));
  }

  /** Tells the log what an answer refuses, in the upstream's own words, which no caller is told. */
  public void warn(UpstreamAnswer refusal) {
    int length = Math.min(MOST_WORDS, refusal.body().length);
    String words = new String(refusal.body(), 0, length, StandardCharsets.UTF_8);
    FailureLog.warn(settings.name(), refusal.status(), words);
  }

  /**
   * Passes a caller's request on and waits for the head of its answer, whatever that says. The
   * caller closes the answer; until then, or its end, it has one of the upstream's connections.
   *
   * @param deadline when the last byte must have come; the upstream's own deadline does not hold
   * @throws dev.octroi.services.Failure if no answer comes in time
   */
  public ProxyAnswer forward(ProxyRequest request, Deadline deadline) {
    UpstreamObserver.Watched watched = observer.begins(settings.name(), request.method());
    int status = 0;
    try {
      HttpRequest wire = wire(request, watched.headers());
      int left = request.repeatable() ? settings.retries() : 0;
      ProxyAnswer answer = null;
      while (answer == null) {
        answer = forwarded(request, wire, deadline, left);
        left--;
      }
      status = answer.status();
      return answer;
    } finally {
      last.note(status);
      watched.ended(status);
    }
  }

  /** Null if there is no answer worth passing on, and it may be tried again. */
  private @Nullable ProxyAnswer forwarded(
      ProxyRequest request, HttpRequest wire, Deadline deadline, int left) {
    boolean again = left > 0 && deadline.remaining().toMillis() > LONGEST_PAUSE_MILLIS;
    try {
      ProxyAnswer answer =
          new StreamExchange(line, wire, request.firstByte(), request.idle(), deadline)
              .open(ProxyAnswer::of);
      if (!again || !answer.isDown() || answer.header("Retry-After").isPresent()) {
        return answer;
      }
      answer.close();
    } catch (Failure failure) {
      Throwable cause = failure.getCause();
      if (!again || cause == null || !Failures.notConnected(cause)) {
        throw failure;
      }
    }
    long pause = ThreadLocalRandom.current().nextLong(PAUSE_MILLIS, LONGEST_PAUSE_MILLIS);
    var paused = new CompletableFuture<Void>().completeOnTimeout(null, pause, MILLISECONDS);
    Waiting.until(deadline, paused, () -> {});
    return null;
  }

  /**
   * Throws what a call would meet while the circuit breaker lets none pass, without a call.
   *
   * @throws Failure 503
   */
  public void requireReachable() {
    if (!line.breaker().tryAcquirePermission()) {
      throw Failures.open(line.settings().breaker().openFor());
    }
    line.breaker().releasePermission();
  }

  /**
   * Asks for the base address, once and past the circuit breaker: nothing is bought. The head of
   * the answer is enough, which may have no end.
   *
   * @throws IOException if there is no answer within the time
   */
  public Probe probe(Duration within) throws IOException, InterruptedException {
    BodyQueue unread = new BodyQueue(() -> {});
    CompletableFuture<HttpResponse<BodyQueue>> answer =
        line.http().get().sendAsync(wire("", Map.of()).GET().build(), info -> unread);
    try {
      HttpResponse<BodyQueue> said = answer.get(within.toNanos(), TimeUnit.NANOSECONDS);
      return new Probe(
          said.statusCode(), said.headers().firstValue("date").flatMap(UpstreamClient::instant));
    } catch (TimeoutException | ExecutionException e) {
      throw new IOException(e);
    } finally {
      answer.cancel(true);
      unread.cancel();
    }
  }

  /**
   * Reads what costs nothing, once and past the circuit breaker.
   *
   * @param headers that the vendor wants besides its credential
   * @throws IOException if there is no answer within the time, or one longer than answers may be
   */
  Page read(String target, Map<String, String> headers, Duration within)
      throws IOException, InterruptedException {
    HttpRequest request = wire(target, headers).header("Accept", "application/json").build();
    CompletableFuture<HttpResponse<byte[]>> answer =
        line.http()
            .get()
            .sendAsync(request, info -> new Exchange.BoundedBody(line.settings().maxBodyBytes()));
    try {
      HttpResponse<byte[]> said = answer.get(within.toNanos(), TimeUnit.NANOSECONDS);
      return new Page(said.statusCode(), said.body());
    } catch (TimeoutException | ExecutionException e) {
      answer.cancel(true);
      throw new IOException(e);
    }
  }

  /** Ends the threads; calls in flight fail. */
  @Override
  public void close() {
    executor.shutdownNow();
  }

  private HttpRequest wire(UpstreamRequest request, Map<String, String> besides) {
    HttpRequest.Builder wire =
        wire(request.target(), besides)
            .header("Accept", "application/json")
            .header("Accept-Encoding", "gzip");
    Credential second = request.second();
    second.headerName().ifPresent(name -> wire.header(name, second.headerValue()));
    byte[] body = request.body();
    if (body == null) {
      return wire.method(request.method(), HttpRequest.BodyPublishers.noBody()).build();
    }
    return wire.header("Content-Type", request.mediaType())
        .method(request.method(), HttpRequest.BodyPublishers.ofByteArray(body))
        .build();
  }

  private HttpRequest wire(StreamRequest request, Map<String, String> besides) {
    HttpRequest.Builder wire =
        wire(request.target(), besides)
            .header("Accept", "text/event-stream, application/json")
            .header("Accept-Encoding", "identity")
            .header("Content-Type", request.mediaType());
    request.headers().forEach(wire::header);
    return wire.POST(HttpRequest.BodyPublishers.ofByteArray(request.body())).build();
  }

  /** What a gateway says itself, such as the trace that a call is part of, has the last word. */
  private HttpRequest wire(ProxyRequest request, Map<String, String> besides) {
    HttpRequest.Builder wire = HttpRequest.newBuilder(address(request.target()));
    wire.setHeader("User-Agent", "octroi");
    Set<String> set = new HashSet<>();
    for (ProxyRequest.Header header : request.headers()) {
      if (set.add(header.name().toLowerCase(Locale.ROOT))) {
        wire.setHeader(header.name(), header.value());
      } else {
        wire.header(header.name(), header.value());
      }
    }
    besides.forEach(wire::setHeader);
    return wire.method(
            request.method(),
            request
                .body()
                .map(body -> publisher(body))
                .orElseGet(HttpRequest.BodyPublishers::noBody))
        .build();
  }

  private static HttpRequest.BodyPublisher publisher(ProxyRequest.Body body) {
    return body.length() == 0
        ? HttpRequest.BodyPublishers.noBody()
        : HttpRequest.BodyPublishers.fromPublisher(
            HttpRequest.BodyPublishers.ofInputStream(body.bytes()), body.length());
  }

  private URI address(String target) {
    String base = settings.base().toString();
    boolean doubled = base.endsWith("/") && target.startsWith("/");
    return URI.create((doubled ? base.substring(0, base.length() - 1) : base) + target);
  }

  private HttpRequest.Builder wire(String target, Map<String, String> besides) {
    String base = settings.base().toString();
    String root = base.endsWith("/") ? base.substring(0, base.length() - 1) : base;
    HttpRequest.Builder wire =
        HttpRequest.newBuilder(URI.create(root + target)).header("User-Agent", "octroi");
    besides.forEach(wire::header);
    Credential credential = settings.credential();
    credential.headerName().ifPresent(name -> wire.header(name, credential.headerValue()));
    return wire;
  }

  private static Optional<Instant> instant(String httpDate) {
    try {
      return Optional.of(DateTimeFormatter.RFC_1123_DATE_TIME.parse(httpDate, Instant::from));
    } catch (DateTimeParseException e) {
      return Optional.empty();
    }
  }

  private static CircuitBreaker breaker(UpstreamSettings settings) {
    BreakerSettings breaker = settings.breaker();
    return CircuitBreaker.of(
        settings.name(),
        CircuitBreakerConfig.custom()
            .failureRateThreshold(breaker.failurePercent())
            .slidingWindowSize(breaker.window())
            .minimumNumberOfCalls(breaker.window())
            .waitDurationInOpenState(breaker.openFor())
            .permittedNumberOfCallsInHalfOpenState(Math.min(5, breaker.window()))
            .build());
  }

  /**
   * What an upstream says when it is asked for nothing: that it is there, and what it makes of our
   * credential.
   *
   * @param status HTTP status; 404 is as good as 200, for few upstreams have something at their
   *     base address
   * @param date the upstream's clock, to the second, where it tells it
   */
  public record Probe(int status, Optional<Instant> date) {

    private static final int UNAUTHORIZED = 401;
    private static final int FORBIDDEN = 403;

    /** Whether it refuses the credential; one that looks at credentials elsewhere only does not. */
    public boolean refused() {
      return status == UNAUTHORIZED || status == FORBIDDEN;
    }

    /** Whether it says itself that it cannot serve. */
    public boolean broken() {
      return status >= 500;
    }
  }

  /** What an upstream answered to a read past the circuit breaker. */
  record Page(int status, byte[] body) {}

  /**
   * One POST whose answer is read while it is written.
   *
   * @param target path below the base address, percent-encoded
   * @param body what is posted
   * @param mediaType of the body
   * @param headers that the vendor wants besides its credential
   * @param firstByte how long the first byte of the body may take, the wait for a connection
   *     included
   * @param idle how long the upstream may then be silent
   */
  public record StreamRequest(
      String target,
      byte[] body,
      String mediaType,
      Map<String, String> headers,
      Duration firstByte,
      Duration idle) {

    public StreamRequest {
      headers = Map.copyOf(headers);
    }

    /** A POST of JSON. */
    public StreamRequest(
        String target,
        byte[] json,
        Map<String, String> headers,
        Duration firstByte,
        Duration idle) {
      this(target, json, "application/json", headers, firstByte, idle);
    }

    /** A minute for the first byte, and a minute for each that follows. */
    public static StreamRequest of(String target, byte[] json) {
      return new StreamRequest(
          target, json, Map.of(), Duration.ofMinutes(1), Duration.ofMinutes(1));
    }

    /** The same of what is posted in the same form where its answer is whole. */
    public static StreamRequest of(UpstreamRequest request) {
      byte[] body = Objects.requireNonNull(request.body());
      return new StreamRequest(
          request.target(),
          body,
          request.mediaType(),
          Map.of(),
          Duration.ofMinutes(1),
          Duration.ofMinutes(1));
    }

    public StreamRequest with(Map<String, String> others) {
      return new StreamRequest(target, body, mediaType, others, firstByte, idle);
    }

    public StreamRequest timeouts(Duration forFirstByte, Duration betweenBytes) {
      return new StreamRequest(target, body, mediaType, headers, forFirstByte, betweenBytes);
    }
  }

  /**
   * How an upstream does, as one node sees it.
   *
   * @param state whether it is called at all
   * @param calls how many of the last calls are looked at, as many as the breaker's window at most
   * @param failed how many of these had no answer, or one of 500 and above
   * @param inUse connections that calls have
   * @param waiting calls that wait for a connection
   */
  public record UpstreamHealth(State state, int calls, int failed, int inUse, int waiting) {

    /** What the circuit breaker lets pass. */
    public enum State {
      /** Every call. */
      UP,
      /** A few calls, by which it is seen whether it is up again. */
      TRIED,
      /** None: too many of the last ones failed. */
      DOWN;

      static State of(CircuitBreaker.State state) {
        return switch (state) {
          case CLOSED, DISABLED, METRICS_ONLY -> UP;
          case HALF_OPEN -> TRIED;
          case OPEN, FORCED_OPEN -> DOWN;
        };
      }
    }
  }

  /**
   * What upstreams' clients get from the host that runs them.
   *
   * @param observer is told of every call
   * @param threads what calls run on
   * @param connections makes what sends the requests of an upstream, from a builder that says how
   */
  public record UpstreamHost(
      UpstreamObserver observer,
      HostThreads threads,
      BiFunction<UpstreamSettings, HttpClient.Builder, HttpClient> connections) {

    /** A host whose requests are sent. */
    public UpstreamHost(UpstreamObserver observer, HostThreads threads) {
      this(observer, threads, (upstream, builder) -> builder.build());
    }

    /** No observer is told, and the JVM makes the threads. */
    public static final UpstreamHost PLAIN =
        new UpstreamHost(UpstreamObserver.NONE, HostThreads.OF_THE_JVM);
  }

  /**
   * Is told of the calls of upstreams, for figures and traces. Thread-safe; implementations return
   * at once and throw nothing.
   */
  @FunctionalInterface
  public interface UpstreamObserver {

    /** Looks away. */
    UpstreamObserver NONE = (upstream, method) -> Watched.UNSEEN;

    /**
     * A call is about to begin, on the thread that asks for it.
     *
     * @param upstream its name in the settings, never a vendor's
     * @param method GET, POST or DELETE
     */
    Watched begins(String upstream, String method);

    /** The same work for another thread, which asks upstreams for the call of this one then. */
    default Runnable carried(Runnable work) {
      return work;
    }

    /** One call, until its answer has been read or its stream's first byte is there. */
    @FunctionalInterface
    interface Watched {

      /** A call whose end no observer is told of. */
      Watched UNSEEN = status -> {};

      /** What the call says to the upstream besides, such as the trace that it is part of. */
      default Map<String, String> headers() {
        return Map.of();
      }

      /**
       * The call has ended, on any thread.
       *
       * @param status HTTP status of the answer; 0 if none came
       */
      void ended(int status);
    }
  }

  /** Whether the last calls failed. Thread-safe. */
  static final class LastCalls {

    private final boolean[] failed;
    private long calls;

    LastCalls(int size) {
      this.failed = new boolean[size];
    }

    /**
     * Notes the end of a call.
     *
     * @param status HTTP status; 0 if there was no answer
     */
    synchronized void note(int status) {
      failed[(int) (calls++ % failed.length)] = status == 0 || status >= 500;
    }

    synchronized int calls() {
      return (int) Math.min(calls, failed.length);
    }

    synchronized int failed() {
      int sum = 0;
      for (int place = 0; place < calls(); place++) {
        sum += failed[place] ? 1 : 0;
      }
      return sum;
    }
  }

  /**
   * The connections that an upstream may be given at a time, handed out first come, first served
   * without holding a thread. Thread-safe.
   */
  static final class ConnectionSlots {

    /** More calls than this per connection could not be served within any deadline. */
    private static final int WAITING_PER_SLOT = 32;

    /** Each that waits may hold a thread: where calls take longer than this, fewer wait. */
    private static final Duration USUAL = Duration.ofSeconds(30);

    private final int maxWaiting;
    private final Deque<CompletableFuture<Void>> waiting = new ArrayDeque<>();
    private int free;

    /**
     * So many.
     *
     * @param deadline how long a call may take
     */
    ConnectionSlots(int size, Duration deadline) {
      long fewer = WAITING_PER_SLOT * USUAL.toMillis() / Math.max(1, deadline.toMillis());
      this.free = size;
      this.maxWaiting = size * (int) Math.max(1, Math.min(WAITING_PER_SLOT, fewer));
    }

    /**
     * A place in the queue: completes when a slot is the caller's, who must {@link #release} it or,
     * before that, cancel the place; fails at once when too many wait.
     */
    synchronized CompletableFuture<Void> acquire() {
      if (free > 0) {
        free--;
        return CompletableFuture.completedFuture(null);
      }
      waiting.removeIf(CompletableFuture::isDone);
      if (waiting.size() >= maxWaiting) {
        return CompletableFuture.failedFuture(Failures.full());
      }
      CompletableFuture<Void> place = new CompletableFuture<>();
      waiting.add(place);
      return place;
    }

    /** How many more calls could begin at once. */
    synchronized int free() {
      return free;
    }

    /** How many calls wait for a slot. */
    synchronized int waiting() {
      waiting.removeIf(CompletableFuture::isDone);
      return waiting.size();
    }

    /** Gives a slot to the next that still waits. */
    void release() {
      while (true) {
        CompletableFuture<Void> next;
        synchronized (this) {
          next = waiting.poll();
          if (next == null) {
            free++;
            return;
          }
        }
        if (next.complete(null)) {
          return;
        }
      }
    }
  }

  /**
   * An HTTP client that is made for the first call: it has a thread and brings TLS with it, which a
   * gateway starts sooner without. Thread-safe.
   */
  public static final class FirstCallClient implements Supplier<HttpClient> {

    private final Supplier<HttpClient> maker;
    private volatile @Nullable HttpClient made;

    /** A client as the builder has it, which is not changed any more. */
    public FirstCallClient(HttpClient.Builder builder) {
      this(builder::build);
    }

    FirstCallClient(Supplier<HttpClient> maker) {
      this.maker = maker;
    }

    @Override
    public HttpClient get() {
      HttpClient client = made;
      return client != null ? client : make();
    }

    private synchronized HttpClient make() {
      HttpClient client = made;
      if (client == null) {
        client = withoutCallersLoader();
        made = client;
      }
      return client;
    }

    /**
     * Its thread inherits the class loader of the thread that makes it: in a server that would be
     * the application's, which could not go before the thread has.
     */
    private HttpClient withoutCallersLoader() {
      Thread caller = Thread.currentThread();
      ClassLoader callers = caller.getContextClassLoader();
      caller.setContextClassLoader(HttpClient.class.getClassLoader());
      try {
        return maker.get();
      } finally {
        caller.setContextClassLoader(callers);
      }
    }
  }

  /** Waiting for a result no longer than its deadline. */
  public static final class Waiting {

    private Waiting() {}

    /**
     * The result of the future.
     *
     * @param leave run when the wait ends without a result: the deadline passed, or the thread is
     *     to stop
     * @throws Failure for every other end
     */
    public static <T> T until(Deadline deadline, Future<T> future, Runnable leave) {
      try {
        return future.get(deadline.remaining().toNanos(), TimeUnit.NANOSECONDS);
      } catch (TimeoutException late) {
        leave.run();
        throw Failures.late();
      } catch (InterruptedException stop) {
        leave.run();
        Thread.currentThread().interrupt();
        throw Failures.interrupted(stop);
      } catch (CancellationException cancelled) {
        throw Failures.late();
      } catch (ExecutionException failed) {
        throw Failures.of(failed).again();
      }
    }
  }
}
