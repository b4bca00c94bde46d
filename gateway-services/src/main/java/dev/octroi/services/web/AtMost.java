package dev.octroi.services.web;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/** A stream that may not be longer than a limit, which compressed nothings can be without end. */
final class AtMost extends FilterInputStream {

  private long left;

  AtMost(InputStream in, int limit) {
    super(in);
    this.left = limit;
  }

  @Override
  public int read() throws IOException {
    int octet = super.read();
    count(octet < 0 ? 0 : 1);
    return octet;
  }

  @Override
  public int read(byte[] into, int offset, int length) throws IOException {
    int read = super.read(into, offset, length);
    count(Math.max(0, read));
    return read;
  }

  private void count(int read) throws IOException {
    left -= read;
    if (left < 0) {
      throw new Exceeded();
    }
  }

  /** It is longer. */
  static final class Exceeded extends IOException {

    private static final long serialVersionUID = 1L;

    Exceeded() {
      super("too large");
    }
  }
}
