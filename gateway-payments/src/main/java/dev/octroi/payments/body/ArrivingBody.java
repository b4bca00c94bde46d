package dev.octroi.payments.body;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A request body that comes piece by piece. It takes as much of the common memory as has come of
 * it, up to {@value #MAX_IN_MEMORY} bytes; what is longer, or finds no memory, lies in a temporary
 * file, which has no name where the system allows that, and is gone in any case once this is closed
 * or the process ends, however it ends. Not thread-safe.
 */
public final class ArrivingBody implements AutoCloseable {

  /** How the names of the files of long bodies begin. */
  static final String PREFIX = "octroi-body";

  public static final int MAX_IN_MEMORY = 64 * 1024;

  private static final Logger LOG = LoggerFactory.getLogger(ArrivingBody.class);
  private static final int FIRST = 1024;
  private static final byte[] NONE = {};

  private final BodyBuffer rules;
  private byte[] memory = NONE;
  private @Nullable FileChannel file;
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

  /** All that has come, from its start; to be read before this is closed. */
  public InputStream stream() {
    FileChannel kept = file;
    return kept == null ? new ByteArrayInputStream(memory, 0, (int) length) : new FromFile(kept);
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
    FileChannel open = file;
    if (open == null) {
      open = spill();
    }
    takeDisk(piece.remaining());
    writeAll(open, piece);
  }

  /** Moves what lies in memory to a file. */
  private FileChannel spill() throws BodyRefused {
    takeDisk(length);
    FileChannel made = created();
    file = made;
    writeAll(made, ByteBuffer.wrap(memory, 0, (int) length));
    rules.memory().giveBack(memory.length);
    memory = NONE;
    return made;
  }

  private FileChannel created() throws BodyRefused {
    try {
      return FileChannel.open(
          Files.createTempFile(rules.directory(), PREFIX, null),
          StandardOpenOption.READ,
          StandardOpenOption.WRITE,
          StandardOpenOption.DELETE_ON_CLOSE);
    } catch (IOException e) {
      throw withoutRoom(e);
    }
  }

  private static void writeAll(FileChannel file, ByteBuffer bytes) throws BodyRefused {
    try {
      while (bytes.hasRemaining()) {
        file.write(bytes);
      }
    } catch (IOException e) {
      throw withoutRoom(e);
    }
  }

  /** The temporary folder is full, or cannot be written at all. */
  private static BodyRefused withoutRoom(IOException why) {
    LOG.debug("A long body could not be kept", why);
    return BodyRefused.noRoom();
  }

  private void takeDisk(long bytes) throws BodyRefused {
    if (!rules.disk().take(bytes)) {
      throw BodyRefused.noRoom();
    }
    onDisk += bytes;
  }

  /** Reads a file by its own place, so that another reader does not disturb it. */
  private static final class FromFile extends InputStream {

    private final FileChannel file;
    private long place;

    FromFile(FileChannel file) {
      this.file = file;
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] into, int from, int most) throws IOException {
      if (most == 0) {
        return 0;
      }
      int read = file.read(ByteBuffer.wrap(into, from, most), place);
      place += Math.max(0, read);
      return read;
    }
  }

  /** Gives back memory and file. */
  @Override
  public void close() throws IOException {
    rules.memory().giveBack(memory.length);
    memory = NONE;
    rules.disk().giveBack(onDisk);
    onDisk = 0;
    FileChannel gone = file;
    if (gone != null) {
      file = null;
      gone.close();
    }
    length = 0;
  }
}
