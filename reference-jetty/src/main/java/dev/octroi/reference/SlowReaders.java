package dev.octroi.reference;

import dev.octroi.payments.flow.PaymentFlow;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.eclipse.jetty.http.HttpVersion;
import org.eclipse.jetty.io.QuietException;
import org.eclipse.jetty.server.ConnectionMetaData;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.thread.Scheduler;
import org.jspecify.annotations.Nullable;

/**
 * Hangs up on callers who do not read their answers: each such answer holds a thread of its call.
 * An answer may wait ten seconds, and a second more for each {@value #BYTES_PER_SECOND} bytes of
 * it; and of all answers only {@value #MOST} wait at a time, and of those that are in memory only
 * as many as an eighth of the heap holds: one more ends those that began to wait first. A paid
 * answer that was cut off can be had again. Thread-safe.
 */
final class SlowReaders extends Handler.Wrapper {

  /** A third of the threads that calls have where the JDK has no virtual ones. */
  static final int MOST = 200;

  /** What those hold whose bytes are in memory; their calls have given back their own share. */
  static final long MOST_BYTES = Runtime.getRuntime().maxMemory() / 8;

  private static final long BYTES_PER_SECOND = 1024;
  private static final long GRACE = TimeUnit.SECONDS.toNanos(10);

  private final AtomicLong numbers = new AtomicLong();
  private final ConcurrentNavigableMap<Answer, Piece> waiting = new ConcurrentSkipListMap<>();

  SlowReaders(Handler handler) {
    super(handler);
  }

  @Override
  public boolean handle(Request request, Response response, Callback callback) throws Exception {
    return super.handle(request, new Answer(request, response), callback);
  }

  /** One answer, written piece by piece: the next one comes when the last has left. */
  private final class Answer extends Response.Wrapper implements Comparable<Answer> {

    /** Its place among those that wait, from its first waiting on. */
    private volatile long number;

    /** How much of it is in memory, whatever of that has left. */
    private volatile long inMemory;

    private final AtomicLong waitedNanos = new AtomicLong();
    private final AtomicLong waitedBytes = new AtomicLong();

    Answer(Request request, Response response) {
      super(request, response);
    }

    @Override
    public void write(boolean last, @Nullable ByteBuffer content, Callback callback) {
      int length = content == null ? 0 : content.remaining();
      Piece piece = new Piece(this, callback);
      super.write(last, content, piece);
      if (!piece.left) {
        piece.await(length);
      }
    }

    @Override
    public int compareTo(Answer other) {
      return Long.compare(number, other.number);
    }
  }

  /** What is written at once. */
  private final class Piece extends Callback.Nested {

    private final Answer answer;
    private final long began = System.nanoTime();
    private volatile boolean left;
    private volatile Scheduler.@Nullable Task deadline;

    Piece(Answer answer, Callback callback) {
      super(callback);
      this.answer = answer;
    }

    /** Its reader takes longer than a write; it may have left all the same by now. */
    void await(int length) {
      if (answer.number == 0) {
        answer.number = numbers.incrementAndGet();
      }
      // A stream may have waited before what it holds was known.
      if (answer.getRequest().getAttribute(PaymentFlow.ANSWER_BYTES) instanceof Long held) {
        answer.inMemory = held;
      }
      long bytes = answer.waitedBytes.addAndGet(length);
      waiting.put(answer, this);
      long allowed =
          GRACE + TimeUnit.SECONDS.toNanos(bytes) / BYTES_PER_SECOND - answer.waitedNanos.get();
      deadline =
          answer
              .getRequest()
              .getComponents()
              .getScheduler()
              .schedule(this::hangUp, Math.max(0, allowed), TimeUnit.NANOSECONDS);
      if (left) {
        forget();
      } else {
        makeRoom();
      }
    }

    private void makeRoom() {
      if (waiting.size() > MOST) {
        Map.Entry<Answer, Piece> first = waiting.pollFirstEntry();
        if (first != null) {
          first.getValue().hangUp();
        }
      }
      if (answer.inMemory == 0) {
        return;
      }
      long held = waiting.keySet().stream().mapToLong(one -> one.inMemory).sum();
      for (Map.Entry<Answer, Piece> one : waiting.entrySet()) {
        if (held <= MOST_BYTES || one.getKey() == answer) {
          break;
        }
        if (one.getKey().inMemory > 0 && waiting.remove(one.getKey(), one.getValue())) {
          held -= one.getKey().inMemory;
          one.getValue().hangUp();
        }
      }
    }

    private void hangUp() {
      if (!left) {
        Request request = answer.getRequest();
        // Quiet, for callers could fill the log.
        request.fail(new QuietException.Exception("an answer is not read"));
        ConnectionMetaData connection = request.getConnectionMetaData();
        if (connection.getHttpVersion() != HttpVersion.HTTP_2) {
          // The bytes that wait hold the whole answer until their connection closes.
          connection.getConnection().close();
        }
      }
    }

    private void forget() {
      waiting.remove(answer, this);
      Scheduler.Task task = deadline;
      if (task != null) {
        task.cancel();
      }
    }

    private void leave() {
      left = true;
      if (answer.number != 0) {
        answer.waitedNanos.addAndGet(System.nanoTime() - began);
        forget();
      }
    }

    @Override
    public void succeeded() {
      leave();
      super.succeeded();
    }

    @Override
    public void failed(Throwable why) {
      leave();
      super.failed(why);
    }
  }
}
