package dev.octroi.services.upstream;

import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import org.jspecify.annotations.Nullable;

/** Collects an answer's bytes up to a limit, and hangs up beyond it. */
final class BoundedBody implements HttpResponse.BodySubscriber<byte[]> {

  private final int limit;
  private final CompletableFuture<byte[]> body = new CompletableFuture<>();
  private final List<ByteBuffer> parts = new ArrayList<>();
  private Flow.@Nullable Subscription subscription;
  private long size;

  private BoundedBody(int limit) {
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
      size += buffer.remaining();
      parts.add(buffer);
    }
    if (size > limit && subscription != null) {
      subscription.cancel();
      parts.clear();
      body.completeExceptionally(new AnswerTooLarge(limit));
    }
  }

  @Override
  public void onError(Throwable error) {
    parts.clear();
    body.completeExceptionally(error);
  }

  @Override
  public void onComplete() {
    if (body.isDone()) {
      return;
    }
    byte[] all = new byte[(int) size];
    ByteBuffer target = ByteBuffer.wrap(all);
    parts.forEach(target::put);
    parts.clear();
    body.complete(all);
  }
}
