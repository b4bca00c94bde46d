package dev.octroi.services.upstream;

import dev.octroi.services.Deadline;
import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;

/**
 * Calls one upstream over HTTP/1.1, with everything that keeps its troubles from becoming ours: a
 * deadline over the whole call, a connection cap, a size limit, one repetition of reads, and a
 * circuit breaker. Thread-safe; holds no thread while an upstream thinks.
 *
 * <p>Failures are {@link dev.octroi.services.Failure}s: 502 {@code upstream_failed} for a call that
 * failed, timed out or was answered with rubbish, 503 {@code upstream_unavailable} with a time to
 * wait for an upstream that is down, unreachable or has no free connection. An answer of 400 and
 * above is an answer, except where the upstream refuses our credential (401, 402, 403): that is
 * never the caller's business, so 502.
 */
public final class UpstreamClient implements AutoCloseable {

  private static final Duration CONNECT = Duration.ofSeconds(5);

  /** The call ends itself at its deadline and knows better than its reader why. */
  private static final Duration GRACE = Duration.ofSeconds(1);

  private final UpstreamSettings settings;
  private final UpstreamObserver observer;
  private final ExecutorService executor;
  private final Exchange.Line line;

  /** A client whose calls no observer is told of. */
  public UpstreamClient(UpstreamSettings settings) {
    this(settings, UpstreamHost.PLAIN);
  }

  public UpstreamClient(UpstreamSettings settings, UpstreamHost host) {
    this.settings = settings;
    this.observer = host.observer();
    this.executor = host.threads().pool("upstream-" + settings.name());
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
            new FirstCallClient(http),
            executor,
            new ConnectionSlots(settings.maxConnections()),
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
        breaker.getMetrics().getNumberOfBufferedCalls(),
        breaker.getMetrics().getNumberOfFailedCalls(),
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
    answer.whenComplete((said, error) -> watched.ended(said == null ? 0 : said.status()));
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
      UpstreamStream stream = new StreamExchange(line, request, wire, deadline).open();
      status = stream.status();
      return stream;
    } finally {
      watched.ended(status);
    }
  }

  /**
   * Asks for the base address, once and past the circuit breaker: nothing is bought.
   *
   * @throws IOException if there is no answer within the time
   */
  public Probe probe(Duration within) throws IOException, InterruptedException {
    HttpRequest request = wire("", Map.of()).timeout(within).GET().build();
    HttpResponse<Void> answer =
        line.http().get().send(request, HttpResponse.BodyHandlers.discarding());
    return new Probe(
        answer.statusCode(), answer.headers().firstValue("date").flatMap(UpstreamClient::instant));
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
            .header("Content-Type", "application/json");
    request.headers().forEach(wire::header);
    return wire.POST(HttpRequest.BodyPublishers.ofByteArray(request.json())).build();
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
}
