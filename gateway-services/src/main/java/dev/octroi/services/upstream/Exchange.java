package dev.octroi.services.upstream;

import dev.octroi.services.Deadline;
import dev.octroi.services.Failure;
import dev.octroi.services.upstream.UpstreamClient.ConnectionSlots;
import dev.octroi.services.upstream.UpstreamClient.FirstCallClient;
import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.Flow;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One call from its wait for a connection to its answer, repetition included. Whatever ends it
 * first (answer, failure, deadline, cancellation) hangs up and gives the connection back.
 */
@SuppressWarnings("FutureReturnValueIgnored") // those of watchers, which have nothing to say
final class Exchange {

  /** What the calls of one upstream share. */
  record Line(
      UpstreamSettings settings,
      FirstCallClient http,
      Executor executor,
      ConnectionSlots slots,
      CircuitBreaker breaker) {}

  private final Line line;
  private final UpstreamRequest request;
  private final HttpRequest wire;
  private final Deadline deadline;
  private final CompletableFuture<UpstreamAnswer> answer = new CompletableFuture<>();
  private volatile @Nullable CompletableFuture<HttpResponse<byte[]>> attempt;

  Exchange(Line line, UpstreamRequest request, HttpRequest wire, Deadline deadline) {
    this.line = line;
    this.request = request;
    this.wire = wire;
    this.deadline = deadline;
  }

  CompletableFuture<UpstreamAnswer> start() {
    CompletableFuture<Void> slot = line.slots().acquire();
    CompletableFuture<UpstreamAnswer> result =
        answer
            .orTimeout(deadline.remaining().toNanos(), TimeUnit.NANOSECONDS)
            .whenComplete((said, error) -> hangUp(slot))
            .handle((said, error) -> said == null ? thrown(error, slot) : said);
    result.whenComplete(
        (said, error) -> {
          if (result.isCancelled()) {
            answer.cancel(false);
          }
        });
    var begun = slot.isDone() ? slot.thenRun(this::first) : slot.thenRunAsync(this::first, pool());
    begun.exceptionally(this::refused);
    return result;
  }

  private Executor pool() {
    return line.executor();
  }

  private void first() {
    attempt(0);
  }

  private @Nullable Void refused(Throwable error) {
    answer.completeExceptionally(error);
    return null;
  }

  private void attempt(int number) {
    if (answer.isDone()) {
      return;
    }
    if (!line.breaker().tryAcquirePermission()) {
      answer.completeExceptionally(Failures.open(line.settings().breaker().openFor()));
      return;
    }
    long begun = System.nanoTime();
    CompletableFuture<HttpResponse<byte[]>> sent =
        line.http().get().sendAsync(wire, BoundedBody.handler(line.settings().maxBodyBytes()));
    attempt = sent;
    sent.whenComplete((response, error) -> ended(number, begun, response, error));
    if (answer.isDone()) {
      sent.cancel(true);
    }
  }

  private void ended(
      int number, long begun, @Nullable HttpResponse<byte[]> response, @Nullable Throwable error) {
    Throwable cause = error == null ? null : Failures.unwrapped(error);
    judge(Duration.ofNanos(System.nanoTime() - begun), response, cause);
    if (repeats(number, response, cause)) {
      long pause =
          ThreadLocalRandom.current()
              .nextLong(UpstreamClient.PAUSE_MILLIS, UpstreamClient.LONGEST_PAUSE_MILLIS);
      CompletableFuture.delayedExecutor(pause, TimeUnit.MILLISECONDS, pool())
          .execute(() -> attempt(number + 1));
      return;
    }
    if (response == null) {
      fail(cause == null ? Failures.unreadable(new IOException("there is none")) : cause);
      return;
    }
    try {
      answer.complete(
          AnswerDecoding.decoded(response, line.settings().maxBodyBytes(), this::withoutSecrets));
    } catch (Failure unreadable) {
      if (!answer.isDone()) {
        told(response, unreadable);
        answer.completeExceptionally(unreadable);
      }
    }
  }

  private byte[] withoutSecrets(byte[] error) {
    return request.second().withoutSecret(line.settings().credential().withoutSecret(error));
  }

  /** Writes the words of an answer that no caller sees, or what is wrong with it, to the log. */
  private void told(HttpResponse<byte[]> response, Failure unreadable) {
    String upstream = line.settings().name();
    if (response.statusCode() >= 400) {
      FailureLog.warn(
          upstream, response.statusCode(), AnswerDecoding.words(response, this::withoutSecrets));
    } else {
      FailureLog.warn(upstream, response.statusCode(), unreadable);
    }
  }

  /** The log learns why, and then the caller that it failed: a caller may be gone at once. */
  private void fail(Throwable cause) {
    if (!answer.isDone()) {
      FailureLog.warn(line.settings().name(), 0, cause);
      answer.completeExceptionally(cause);
    }
  }

  /**
   * Tells the breaker. A call that we gave up counts only when the upstream had half of its
   * deadline, so that callers with short deadlines, or slow queries of their own, cannot close an
   * upstream for everyone. Neither do a plain 500 and an answer that is too large: a caller may be
   * able to provoke them.
   */
  private void judge(
      Duration took, @Nullable HttpResponse<byte[]> response, @Nullable Throwable error) {
    CircuitBreaker breaker = line.breaker();
    boolean givenUp = error instanceof CancellationException;
    boolean unfair =
        request.longRunning() || took.multipliedBy(2).compareTo(line.settings().deadline()) < 0;
    if (givenUp && unfair) {
      breaker.releasePermission();
    } else if (error != null && !(error instanceof AnswerTooLarge)) {
      breaker.onError(took.toNanos(), TimeUnit.NANOSECONDS, error);
    } else if (response != null && down(response.statusCode())) {
      breaker.onError(took.toNanos(), TimeUnit.NANOSECONDS, Failures.refused());
    } else {
      breaker.onSuccess(took.toNanos(), TimeUnit.NANOSECONDS);
    }
  }

  private boolean repeats(
      int number, @Nullable HttpResponse<byte[]> response, @Nullable Throwable error) {
    if (answer.isDone() || !request.idempotent() || number >= line.settings().retries()) {
      return false;
    }
    boolean worthIt =
        response == null
            ? error != null && Failures.notConnected(error)
            : down(response.statusCode()) && response.headers().firstValue("Retry-After").isEmpty();
    return worthIt && deadline.remaining().toMillis() > UpstreamClient.LONGEST_PAUSE_MILLIS;
  }

  /** A caller's own query that ran out of the upstream's time says nothing about the upstream. */
  private boolean down(int status) {
    return status == 502 || status == 503 || (status == 504 && !request.longRunning());
  }

  private void hangUp(CompletableFuture<Void> slot) {
    CompletableFuture<HttpResponse<byte[]>> last = attempt;
    if (last != null) {
      last.cancel(true);
    }
    if (!slot.cancel(false) && !slot.isCompletedExceptionally()) {
      line.slots().release();
    }
  }

  private static UpstreamAnswer thrown(Throwable error, CompletableFuture<Void> slot) {
    boolean late = Failures.unwrapped(error) instanceof TimeoutException;
    throw late && slot.isCancelled() ? Failures.full() : Failures.of(error);
  }

  /**
   * Collects an answer's bytes up to a limit, and hangs up beyond it. Keeps no buffers: an answer
   * in chunks of a byte each would take a hundred times its length.
   */
  static final class BoundedBody implements HttpResponse.BodySubscriber<byte[]> {

    private final int limit;
    private final CompletableFuture<byte[]> body = new CompletableFuture<>();
    private ByteArrayOutputStream read = new ByteArrayOutputStream();
    private Flow.@Nullable Subscription subscription;

    BoundedBody(int limit) {
      this.limit = limit;
    }

    static HttpResponse.BodyHandler<byte[]> handler(int limit) {
      return info -> new BoundedBody(limit);
    }

    @Override
    public CompletionStage<byte[]> getBody() {
      return body;
    }

    @Override
    public void onSubscribe(Flow.Subscription given) {
      subscription = given;
      given.request(Long.MAX_VALUE);
    }

    @Override
    public void onNext(List<ByteBuffer> buffers) {
      for (ByteBuffer buffer : buffers) {
        byte[] part = new byte[buffer.remaining()];
        buffer.get(part);
        read.writeBytes(part);
      }
      if (read.size() > limit && subscription != null) {
        subscription.cancel();
        read = new ByteArrayOutputStream();
        body.completeExceptionally(new AnswerTooLarge(limit));
      }
    }

    @Override
    public void onError(Throwable error) {
      read = new ByteArrayOutputStream();
      body.completeExceptionally(error);
    }

    @Override
    public void onComplete() {
      if (body.isDone()) {
        return;
      }
      byte[] all = read.toByteArray();
      read = new ByteArrayOutputStream();
      body.complete(all);
    }
  }

  /** Tells the log why a call failed, which its caller never learns. */
  static final class FailureLog {

    private static final Logger LOG = LoggerFactory.getLogger(UpstreamClient.class);

    private static final int LONGEST = 300;

    private FailureLog() {}

    /**
     * One line.
     *
     * @param upstream the group's name
     * @param status 0 where there is none
     */
    static void warn(String upstream, int status, Throwable failure) {
      Throwable why = failure.getCause() == null ? failure : failure.getCause();
      warn(upstream, status, why.toString().lines().findFirst().orElse(""));
    }

    /** One line of words that may quote the upstream, which may have said anything. */
    static void warn(String upstream, int status, String words) {
      String text = words.substring(0, Math.min(LONGEST, words.length()));
      LOG.warn("Upstream {}, status {}: {}", upstream, status, text.replaceAll("\\p{Cntrl}", "?"));
    }
  }

  /** An answer over the size limit: no sign that the upstream is unwell. */
  static final class AnswerTooLarge extends IOException {

    private static final long serialVersionUID = 1L;

    AnswerTooLarge(int limit) {
      super("answer over " + limit + " bytes");
    }
  }
}
