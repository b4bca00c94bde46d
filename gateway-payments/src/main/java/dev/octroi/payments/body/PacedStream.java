package dev.octroi.payments.body;

import dev.octroi.payments.CallRefused;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/**
 * A request body that is read by a thread of the server which waits for it: within its {@link
 * BodyPace}, as far as the server lets go of a read, and only while few others wait likewise.
 * Throws what becomes the answer.
 */
final class PacedStream extends FilterInputStream {

  private final BodyPace.Watch watch;
  private final Semaphore waiting;
  private final long announced;
  private long come;
  private @Nullable BodyRefused refused;

  PacedStream(InputStream in, long announced, BodyPace.Watch watch, Semaphore waiting) {
    super(in);
    this.announced = announced;
    this.watch = watch;
    this.waiting = waiting;
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] buffer, int offset, int length) throws IOException {
    if (refused != null) {
      throw refused(refused);
    }
    int read = next(buffer, offset, length);
    if (read > 0) {
      come += read;
      if (come != announced && watch.isLate(come)) {
        throw refused(BodyRefused.tooSlow());
      }
    }
    return read;
  }

  private int next(byte[] buffer, int offset, int length) throws IOException {
    if (come == announced || in.available() > 0) {
      return in.read(buffer, offset, length);
    }
    if (!waiting.tryAcquire()) {
      throw refused(BodyRefused.tooMany());
    }
    try {
      return in.read(buffer, offset, length);
    } finally {
      waiting.release();
    }
  }

  /** What is read after it is refused as well. */
  private CallRefused refused(BodyRefused why) {
    refused = why;
    return why.asAnswer();
  }

  @Override
  public long skip(long bytes) throws IOException {
    byte[] skipped = new byte[(int) Math.min(Math.max(bytes, 0), BodyBuffer.CHUNK)];
    int read = read(skipped, 0, skipped.length);
    return Math.max(read, 0);
  }

  @Override
  public boolean markSupported() {
    return false;
  }
}
