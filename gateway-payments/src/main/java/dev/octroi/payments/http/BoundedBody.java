package dev.octroi.payments.http;

import java.io.IOException;
import java.net.http.HttpResponse.BodySubscriber;
import java.net.http.HttpResponse.BodySubscribers;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import org.jspecify.annotations.Nullable;

/** Takes a body up to a limit; a longer one fails, and its connection is given up. */
public final class BoundedBody implements BodySubscriber<byte[]> {

  private final BodySubscriber<byte[]> bytes = BodySubscribers.ofByteArray();
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

  @Override
  public CompletionStage<byte[]> getBody() {
    return bytes.getBody();
  }

  @Override
  public void onSubscribe(Flow.Subscription subscription) {
    this.subscription = subscription;
    bytes.onSubscribe(subscription);
  }

  @Override
  public void onNext(List<ByteBuffer> buffers) {
    if (left < 0) {
      return;
    }
    left -= buffers.stream().mapToLong(Buffer::remaining).sum();
    if (left >= 0) {
      bytes.onNext(buffers);
    } else {
      if (subscription != null) {
        subscription.cancel();
      }
      bytes.onError(new IOException("the answer is too long"));
    }
  }

  @Override
  public void onError(Throwable problem) {
    bytes.onError(problem);
  }

  @Override
  public void onComplete() {
    bytes.onComplete();
  }
}
