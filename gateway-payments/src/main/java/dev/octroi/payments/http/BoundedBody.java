package dev.octroi.payments.http;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodySubscriber;
import java.net.http.HttpTimeoutException;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Flow;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Takes a body up to a limit; a longer one fails, and its connection is given up. Keeps no buffers:
 * an answer in chunks of a byte each would take a hundred times its length.
 */
public final class BoundedBody implements BodySubscriber<byte[]> {

  private final CompletableFuture<byte[]> body = new CompletableFuture<>();
  private ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private long left;
  private Flow.@Nullable Subscription subscription;

  /**
   * For one answer.
   *
   * @param limit bytes
   */
  public BoundedBody(int limit) {
    this.left = limit;
  }

  /**
   * Asks for an answer that is there to its last byte within a time: the client's own timeout ends
   * with the headers.
   *
   * @param limit bytes of its body
   * @throws IOException if none came; the request may have arrived
   */
  public static HttpResponse<byte[]> answer(
      HttpClient http, HttpRequest request, int limit, Duration within)
      throws IOException, InterruptedException {
    CompletableFuture<HttpResponse<byte[]>> sent =
        http.sendAsync(request, info -> new BoundedBody(limit));
    try {
      return sent.get(within.toNanos(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      throw new HttpTimeoutException("no whole answer within " + within);
    } catch (ExecutionException e) {
      throw e.getCause() instanceof IOException failed
          ? failed
          : new IOException("no answer came", e.getCause());
    } finally {
      sent.cancel(true);
    }
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
    if (left < 0) {
      return;
    }
    left -= buffers.stream().mapToLong(Buffer::remaining).sum();
    if (left < 0) {
      if (subscription != null) {
        subscription.cancel();
      }
      onError(new IOException("the answer is too long"));
      return;
    }
    for (ByteBuffer buffer : buffers) {
      byte[] part = new byte[buffer.remaining()];
      buffer.get(part);
      bytes.writeBytes(part);
    }
  }

  @Override
  public void onError(Throwable problem) {
    bytes = new ByteArrayOutputStream();
    body.completeExceptionally(problem);
  }

  @Override
  public void onComplete() {
    body.complete(bytes.toByteArray());
    bytes = new ByteArrayOutputStream();
  }
}
