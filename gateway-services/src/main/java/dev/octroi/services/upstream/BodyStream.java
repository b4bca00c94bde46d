package dev.octroi.services.upstream;

import dev.octroi.services.Deadline;
import dev.octroi.services.Failure;
import dev.octroi.services.upstream.UpstreamStream.BrokenStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Objects;
import java.util.Queue;
import java.util.function.Consumer;

/**
 * Reads an answer as it comes. Not for several threads at once, but any thread may close it. Every
 * wait ends: by a byte, by the end, or by a {@link BrokenStream}.
 */
public final class BodyStream extends InputStream {

  private final BodyQueue queue;
  private final Duration idle;
  private final Deadline deadline;
  private final Consumer<Failure> broken;
  private final Queue<ByteBuffer> current = new ArrayDeque<>();
  private boolean begun;
  private boolean ended;
  private volatile boolean closed;

  /**
   * A body whose first byte has not come.
   *
   * @param broken told when it breaks off after that
   */
  public BodyStream(BodyQueue queue, Duration idle, Deadline deadline, Consumer<Failure> broken) {
    this.queue = queue;
    this.idle = idle;
    this.deadline = deadline;
    this.broken = broken;
  }

  /**
   * Waits for the first byte, or the end of an answer that has none.
   *
   * @throws Failure if neither comes in time, or the answer breaks off
   */
  void begin(Deadline first) {
    try {
      fill(first);
      begun = true;
    } catch (BrokenStream cut) {
      throw cut.failure();
    }
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] target, int offset, int length) throws IOException {
    Objects.checkFromIndexSize(offset, length, target.length);
    if (length == 0) {
      return 0;
    }
    fill(deadline.atMost(idle));
    ByteBuffer buffer = current.peek();
    if (buffer == null) {
      return -1;
    }
    int count = Math.min(length, buffer.remaining());
    buffer.get(target, offset, count);
    if (!buffer.hasRemaining()) {
      current.remove();
    }
    return count;
  }

  /** Bytes that can be read without a wait. */
  @Override
  public int available() {
    ByteBuffer buffer = current.peek();
    return buffer == null ? 0 : buffer.remaining();
  }

  /** Hangs up on the upstream if it is still talking. */
  @Override
  public void close() {
    closed = true;
    queue.cancel();
  }

  private void fill(Deadline until) throws BrokenStream {
    while (current.isEmpty() && !ended) {
      BodyQueue.Delivery delivery = next(until);
      if (delivery instanceof BodyQueue.Bytes bytes) {
        bytes.buffers().stream().filter(ByteBuffer::hasRemaining).forEach(current::add);
      } else if (delivery instanceof BodyQueue.End end) {
        ended = true;
        Throwable reason = end.reason();
        if (reason != null) {
          throw cut(Failures.of(reason));
        }
      } else {
        throw cut(Failures.late());
      }
    }
  }

  private BodyQueue.Delivery next(Deadline until) throws BrokenStream {
    checkOpen();
    try {
      BodyQueue.Delivery delivery = queue.next(until.remaining().toNanos());
      checkOpen();
      if (delivery == null) {
        throw cut(Failures.late());
      }
      return delivery;
    } catch (InterruptedException stop) {
      queue.cancel();
      Thread.currentThread().interrupt();
      throw new BrokenStream(Failures.interrupted(stop));
    }
  }

  /** Its reader closed it, maybe while this waited: that is no fault of the upstream. */
  private void checkOpen() throws BrokenStream {
    if (closed) {
      throw new BrokenStream(Failures.unreadable(new IOException("closed by its reader")));
    }
  }

  private BrokenStream cut(Failure failure) {
    ended = true;
    queue.cancel();
    if (begun) {
      broken.accept(failure);
    }
    return new BrokenStream(failure);
  }
}
