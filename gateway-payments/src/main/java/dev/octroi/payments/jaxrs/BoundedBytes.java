package dev.octroi.payments.jaxrs;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;

/** Collects an answer up to a limit, so that one endless entity cannot fill the heap. */
final class BoundedBytes extends OutputStream {

  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final int limit;

  BoundedBytes(int limit) {
    this.limit = limit;
  }

  @Override
  public void write(int b) throws IOException {
    require(1);
    bytes.write(b);
  }

  @Override
  public void write(byte[] b, int offset, int length) throws IOException {
    require(length);
    bytes.write(b, offset, length);
  }

  byte[] toByteArray() {
    return bytes.toByteArray();
  }

  private void require(int more) throws IOException {
    if (bytes.size() + (long) more > limit) {
      throw new IOException("the answer is longer than " + limit + " bytes; stream it");
    }
  }
}
