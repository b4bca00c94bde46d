package dev.octroi.api.asset;

import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;

/** Reads pieces one after the other, each when it is wanted: a slow reader holds no connection. */
final class PieceStream extends InputStream {

  private final Pieces pieces;
  private int next;
  private int position;
  private byte[] current = new byte[0];

  /** Where the pieces come from. */
  @FunctionalInterface
  interface Pieces {
    Optional<byte[]> at(int place) throws IOException;
  }

  /**
   * @param first the piece to begin with
   * @param skipped bytes of it to leave out
   */
  PieceStream(Pieces pieces, int first, int skipped) throws IOException {
    this.pieces = pieces;
    this.next = first;
    if (skipped > 0 && advance()) {
      position = skipped;
    }
  }

  @Override
  public int read() throws IOException {
    return position < current.length || advance() ? current[position++] & 0xFF : -1;
  }

  @Override
  public int read(byte[] buffer, int offset, int length) throws IOException {
    if (length == 0) {
      return 0;
    }
    if (position >= current.length && !advance()) {
      return -1;
    }
    int read = Math.min(length, current.length - position);
    System.arraycopy(current, position, buffer, offset, read);
    position += read;
    return read;
  }

  private boolean advance() throws IOException {
    Optional<byte[]> piece = pieces.at(next++);
    current = piece.orElseGet(() -> new byte[0]);
    position = 0;
    return piece.isPresent();
  }
}
