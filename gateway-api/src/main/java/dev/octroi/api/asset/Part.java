package dev.octroi.api.asset;

import java.io.EOFException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/** So many bytes of a file: no more, and an error where there are less. */
final class Part extends FilterInputStream {

  private long left;

  Part(InputStream in, long length) {
    super(in);
    this.left = length;
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
  }

  @Override
  public int read(byte[] buffer, int offset, int length) throws IOException {
    if (left == 0) {
      return -1;
    }
    int read = in.read(buffer, offset, (int) Math.min(length, left));
    if (read < 0) {
      throw new EOFException("the file ended early");
    }
    left -= read;
    return read;
  }
}
