package dev.octroi.services.upstream;

import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * What has come of an answer and is not yet read. Only a few deliveries are asked for ahead of the
 * reader, and while they wait nothing is read from the connection, so that a slow reader slows the
 * upstream down and never fills memory.
 */
public final class BodyQueue implements HttpResponse.BodySubscriber<BodyQueue> {

  /** Deliveries of at most some 16 KiB each: one being read, one at hand. */
  private static final int AHEAD = 2;

  /** What the connection has to say. */
  sealed interface Delivery {}

  /** Some bytes. */
  record Bytes(List<ByteBuffer> buffers) implements Delivery {}

  /** The end, with the reason if it came too early. */
  record End(@Nullable Throwable reason) implements Delivery {}

  private final BlockingQueue<Delivery> waiting = new LinkedBlockingQueue<>();
  private final AtomicBoolean over = new AtomicBoolean();
  private final Runnable afterwards;
  private Flow.@Nullable Subscription subscription;

  /**
   * A queue for one answer.
   *
   * @param afterwards run once, when the connection is no longer needed
   */
  public BodyQueue(Runnable afterwards) {
    this.afterwards = afterwards;
  }

  @Override
  public CompletionStage<BodyQueue> getBody() {
    return CompletableFuture.completedFuture(this);
  }

  @Override
  public void onSubscribe(Flow.Subscription given) {
    synchronized (this) {
      subscription = given;
    }
    if (over.get()) {
      given.cancel();
    } else {
      given.request(AHEAD);
    }
  }

  @Override
  public void onNext(List<ByteBuffer> buffers) {
    waiting.add(new Bytes(buffers));
  }

  @Override
  public void onError(Throwable error) {
    end(error);
  }

  @Override
  public void onComplete() {
    end(null);
  }

  /**
   * The next delivery, or null if none came in time. The end may be taken once, nothing after it.
   *
   * @param nanos how long to wait
   */
  @Nullable Delivery next(long nanos) throws InterruptedException {
    Delivery delivery = waiting.poll(nanos, TimeUnit.NANOSECONDS);
    if (delivery instanceof Bytes) {
      subscription().request(1);
    }
    return delivery;
  }

  /** Hangs up, unless the answer has ended, and wakes a reader that waits for more. */
  void cancel() {
    Flow.Subscription current;
    synchronized (this) {
      current = subscription;
    }
    if (over.compareAndSet(false, true)) {
      waiting.clear();
      waiting.add(new End(new IOException("cancelled")));
      if (current != null) {
        current.cancel();
      }
      afterwards.run();
    }
  }

  private synchronized Flow.Subscription subscription() {
    if (subscription == null) {
      throw new IllegalStateException("bytes without a subscription");
    }
    return subscription;
  }

  private void end(@Nullable Throwable reason) {
    waiting.add(new End(reason));
    if (over.compareAndSet(false, true)) {
      afterwards.run();
    }
  }
}
