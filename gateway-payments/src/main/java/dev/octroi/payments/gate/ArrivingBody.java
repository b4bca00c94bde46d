package dev.octroi.payments.gate;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A request body that comes piece by piece. It takes as much of the common memory as has come of
 * it, up to {@value #MAX_IN_MEMORY} bytes; what is longer, or finds no memory, lies in a temporary
 * file. Not thread-safe.
 */
public final class ArrivingBody implements AutoCloseable {

  static final int MAX_IN_MEMORY = 64 * 1024;

  private static final int FIRST = 1024;
  private static final byte[] NONE = {};

  private final BodyBuffer rules;
  private byte[] memory = NONE;
  private @Nullable Path file;
  private @Nullable WritableByteChannel out;
  private long onDisk;
  private long length;

  ArrivingBody(BodyBuffer rules) {
    this.rules = rules;
  }

  /**
   * Keeps all of the next piece.
   *
   * @throws BodyRefused if the body is too long or there is no room; it is to be closed then
   */
  public void add(ByteBuffer piece) throws IOException {
    int more = piece.remaining();
    if (length + more > rules.limit()) {
      throw BodyRefused.tooLong();
    }
    if (file == null && hasMemory(length + more)) {
      piece.get(memory, (int) length, more);
    } else {
      write(piece);
    }
    length += more;
  }

  /** How many bytes have come so far. */
  public long length() {
    return length;
  }

  /** All that has come, from its start. Closed with this. */
  public InputStream stream() throws IOException {
    endFile();
    return file == null
        ? new ByteArrayInputStream(memory, 0, (int) length)
        : Files.newInputStream(file);
  }

  /** The same in an array of its own, if it is in memory. */
  byte @Nullable [] inMemory() {
    if (file != null) {
      return null;
    }
    if (memory.length > length) {
      rules.memory().giveBack(memory.length - length);
      memory = Arrays.copyOf(memory, (int) length);
    }
    return memory;
  }

  /** Whether there is memory for a body of that length; takes it. */
  private boolean hasMemory(long needed) {
    if (needed <= memory.length) {
      return true;
    }
    if (needed > MAX_IN_MEMORY) {
      return false;
    }
    int size = Math.max(FIRST, Integer.highestOneBit((int) needed - 1) << 1);
    if (!rules.memory().take(size - memory.length)) {
      return false;
    }
    memory = Arrays.copyOf(memory, size);
    return true;
  }

  private void write(ByteBuffer piece) throws IOException {
    WritableByteChannel open = out;
    if (open == null) {
      open = spill();
    }
    takeDisk(piece.remaining());
    while (piece.hasRemaining()) {
      open.write(piece);
    }
  }

  /** Moves what lies in memory to a file. */
  private WritableByteChannel spill() throws IOException {
    takeDisk(length);
    Path made = Files.createTempFile(rules.directory(), "octroi-body", null);
    file = made;
    OutputStream stream = Files.newOutputStream(made);
    stream.write(memory, 0, (int) length);
    rules.memory().giveBack(memory.length);
    memory = NONE;
    WritableByteChannel channel = Channels.newChannel(stream);
    out = channel;
    return channel;
  }

  private void takeDisk(long bytes) throws BodyRefused {
    if (!rules.disk().take(bytes)) {
      throw BodyRefused.noRoom();
    }
    onDisk += bytes;
  }

  private void endFile() throws IOException {
    WritableByteChannel open = out;
    if (open != null) {
      out = null;
      open.close();
    }
  }

  /** Gives back memory and file. */
  @Override
  public void close() throws IOException {
    rules.memory().giveBack(memory.length);
    memory = NONE;
    rules.disk().giveBack(onDisk);
    onDisk = 0;
    Path gone = file;
    if (gone != null) {
      file = null;
      try {
        endFile();
      } finally {
        Files.deleteIfExists(gone);
      }
    }
    length = 0;
  }
}
