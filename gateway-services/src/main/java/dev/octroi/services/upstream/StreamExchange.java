package dev.octroi.services.upstream;

import dev.octroi.services.Deadline;
import dev.octroi.services.Failure;
import dev.octroi.services.upstream.Exchange.FailureLog;
import dev.octroi.services.upstream.UpstreamClient.Waiting;
import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;

/**
 * One call whose answer is read while it is written, from its wait for a connection to its first
 * byte. It is not repeated: a model that began to write has begun to cost.
 */
final class StreamExchange {

  /** Above any vendor's error, and far below what a page of one could be. */
  private static final int LARGEST_ERROR = 64 * 1024;

  private final Exchange.Line line;
  private final HttpRequest wire;
  private final Duration firstByte;
  private final Duration idle;
  private final Deadline deadline;
  private final Deadline first;
  private final long begun = System.nanoTime();

  /**
   * @param firstByte how long the first byte of the body may take, the wait for a connection
   *     included
   * @param idle how long the upstream may then be silent
   */
  StreamExchange(
      Exchange.Line line, HttpRequest wire, Duration firstByte, Duration idle, Deadline deadline) {
    this.line = line;
    this.wire = wire;
    this.firstByte = firstByte;
    this.idle = idle;
    this.deadline = deadline;
    this.first = deadline.atMost(firstByte);
  }

  /** The stream of a success, or an error that has been read. */
  UpstreamStream open() {
    return open(this::answer);
  }

  /**
   * What is made of the answer once its first byte, or its end, is there.
   *
   * @param made throws a {@link Failure} for an answer that its contract excludes
   */
  <T> T open(BiFunction<HttpResponse<BodyQueue>, BodyStream, T> made) {
    CompletableFuture<Void> slot = line.slots().acquire();
    awaited(slot);
    if (!line.breaker().tryAcquirePermission()) {
      line.slots().release();
      throw Failures.open(line.settings().breaker().openFor());
    }
    BodyQueue queue = new BodyQueue(line.slots()::release);
    T opened = null;
    try {
      opened = answered(queue, made);
      return opened;
    } catch (Failure failure) {
      FailureLog.warn(line.settings().name(), 0, failure);
      throw failure;
    } finally {
      if (opened == null) {
        queue.cancel();
      }
    }
  }

  private void awaited(CompletableFuture<Void> slot) {
    try {
      Waiting.until(first, slot, () -> {});
    } catch (Failure failure) {
      if (slot.cancel(false)) {
        throw Failures.full();
      }
      if (!slot.isCompletedExceptionally()) {
        line.slots().release();
      }
      throw failure;
    }
  }

  private <T> T answered(BodyQueue queue, BiFunction<HttpResponse<BodyQueue>, BodyStream, T> made) {
    CompletableFuture<HttpResponse<BodyQueue>> sent =
        line.http().get().sendAsync(wire, info -> queue);
    BodyStream body = new BodyStream(queue, idle, deadline, this::broke);
    HttpResponse<BodyQueue> response;
    try {
      response = Waiting.until(first, sent, () -> sent.cancel(true));
      body.begin(first);
    } catch (Failure failure) {
      judge(failure);
      throw failure;
    }
    judge(response.statusCode());
    return made.apply(response, body);
  }

  private UpstreamStream answer(HttpResponse<BodyQueue> response, BodyStream body) {
    int status = response.statusCode();
    Map<String, String> headers = AnswerDecoding.headers(response.headers());
    AnswerDecoding.checkStatus(status);
    if (!headers.getOrDefault("content-encoding", "identity").equalsIgnoreCase("identity")) {
      throw Failures.unreadable(new IOException("compressed without having been asked for"));
    }
    if (status < 300) {
      return new UpstreamStream(status, headers, body);
    }
    try (body) {
      byte[] error = line.settings().credential().withoutSecret(body.readNBytes(LARGEST_ERROR));
      return new UpstreamStream(status, headers, new ByteArrayInputStream(error));
    } catch (IOException cut) {
      return new UpstreamStream(status, headers, new ByteArrayInputStream(new byte[0]));
    }
  }

  private void judge(int status) {
    CircuitBreaker breaker = line.breaker();
    long took = System.nanoTime() - begun;
    if (status == 502 || status == 503 || status == 504 || status == 529) {
      breaker.onError(took, TimeUnit.NANOSECONDS, Failures.refused());
    } else {
      breaker.onSuccess(took, TimeUnit.NANOSECONDS);
    }
  }

  /**
   * Tells the breaker of a call without an answer. One that had to stop, or whose caller's deadline
   * left less than half of what the upstream may take, says nothing about the upstream.
   */
  private void judge(Failure failure) {
    long took = System.nanoTime() - begun;
    boolean cutShort = first.remaining().isZero() && took * 2 < firstByte.toNanos();
    if (cutShort || Thread.currentThread().isInterrupted()) {
      line.breaker().releasePermission();
    } else {
      line.breaker().onError(took, TimeUnit.NANOSECONDS, failure);
    }
  }

  private void broke(Failure failure) {
    FailureLog.warn(line.settings().name(), 0, failure);
    line.breaker().onError(System.nanoTime() - begun, TimeUnit.NANOSECONDS, failure);
  }
}
