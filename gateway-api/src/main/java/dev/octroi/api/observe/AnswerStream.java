package dev.octroi.api.observe;

import java.io.IOException;
import java.io.OutputStream;

/**
 * The way of an answer to its caller. It notices that the caller has gone, which only this end of
 * it can tell from a failure of what writes. Used by the thread that serves the call.
 */
final class AnswerStream extends OutputStream {

  private final OutputStream out;
  private boolean cut;
  private boolean ended;

  AnswerStream(OutputStream out) {
    this.out = out;
  }

  /** Whether the caller has gone. */
  boolean isCut() {
    return cut;
  }

  /** All was written that will be: what flushes or closes it from now on is told of no failure. */
  void end() {
    ended = true;
  }

  @Override
  public void write(int b) throws IOException {
    pass(() -> out.write(b));
  }

  @Override
  public void write(byte[] b, int offset, int length) throws IOException {
    pass(() -> out.write(b, offset, length));
  }

  @Override
  public void flush() throws IOException {
    pass(out::flush);
  }

  @Override
  public void close() throws IOException {
    pass(out::close);
  }

  /** Until the end a failure is thrown each time: the answer must not count as delivered. */
  private void pass(Writing writing) throws IOException {
    try {
      if (!cut) {
        writing.write();
      } else if (!ended) {
        throw new IOException("the caller has gone");
      }
    } catch (IOException e) {
      cut = true;
      if (!ended) {
        throw e;
      }
    }
  }

  @FunctionalInterface
  private interface Writing {
    void write() throws IOException;
  }
}
