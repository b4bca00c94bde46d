package dev.octroi.payments.jaxrs;

import jakarta.ws.rs.core.StreamingOutput;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;

/**
 * A stream that was settled before its first byte and counts as delivered with it; it is not stored
 * and not replayed (money rule 3).
 */
record SoldStream(StreamingOutput source, Runnable firstByte, Runnable end)
    implements StreamingOutput {

  @Override
  public void write(OutputStream out) throws IOException {
    try {
      source.write(new FirstByte(out, firstByte));
    } finally {
      end.run();
    }
  }

  private static final class FirstByte extends FilterOutputStream {

    private final Runnable seen;

    FirstByte(OutputStream out, Runnable seen) {
      super(out);
      this.seen = seen;
    }

    @Override
    public void write(int b) throws IOException {
      out.write(b);
      seen.run();
    }

    @Override
    public void write(byte[] b, int offset, int length) throws IOException {
      out.write(b, offset, length);
      seen.run();
    }
  }
}
