package dev.octroi.payments.gate;

import dev.octroi.payments.Sha256;
import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;

/** A request body that was read once and can be read again, with its hash. */
sealed interface BufferedBody extends AutoCloseable {

  /** How the names of the files of long bodies begin. */
  String PREFIX = "octroi-body";

  /** A request without a body. */
  BufferedBody NONE = new InMemory(new byte[0], new BodyWeight(), new ByteBudget(0));

  /** The body from its start, to be read once; closed with this. */
  InputStream stream();

  /** The whole body, for tariffs; not to be modified. */
  byte[] bytes();

  /** SHA-256 in lower-case hex. */
  String hash();

  /** What working with it takes in memory. */
  BodyWeight weight();

  @Override
  void close();

  /** A body short enough to stay in memory. */
  record InMemory(byte[] bytes, BodyWeight weight, ByteBudget budget) implements BufferedBody {

    @Override
    public InputStream stream() {
      return new ByteArrayInputStream(bytes);
    }

    @Override
    public String hash() {
      return Sha256.hex(bytes);
    }

    @Override
    public void close() {
      budget.giveBack(bytes.length);
    }
  }

  /**
   * A long body, in a file that has no name where the system allows that, and is gone in any case
   * once this is closed or the process ends, however it ends.
   */
  record OnDisk(FileChannel file, String hash, BodyWeight weight, InputStream stream)
      implements BufferedBody {

    static OnDisk write(byte[] head, InputStream rest, BodyBuffer rules) throws IOException {
      FileChannel file = created(rules.directory());
      boolean whole = false;
      try {
        MessageDigest digest = Sha256.digest();
        BodyWeight weight = new BodyWeight();
        byte[] chunk = head;
        long length = 0;
        for (int read = head.length; read > 0; read = rest.readNBytes(chunk, 0, BodyBuffer.CHUNK)) {
          length += read;
          if (length > rules.limit()) {
            throw rules.tooLong(rest);
          }
          digest.update(chunk, 0, read);
          weight.add(chunk, read);
          write(file, chunk, read);
        }
        file.position(0);
        whole = true;
        return new OnDisk(file, Sha256.hex(digest), weight, Channels.newInputStream(file));
      } finally {
        if (!whole) {
          file.close();
        }
      }
    }

    private static FileChannel created(Path directory) {
      try {
        Path path = Files.createTempFile(directory, PREFIX, null);
        return FileChannel.open(
            path,
            StandardOpenOption.READ,
            StandardOpenOption.WRITE,
            StandardOpenOption.DELETE_ON_CLOSE);
      } catch (IOException e) {
        throw BodyBuffer.noRoom(e);
      }
    }

    private static void write(FileChannel file, byte[] chunk, int length) {
      ByteBuffer left = ByteBuffer.wrap(chunk, 0, length);
      try {
        while (left.hasRemaining()) {
          file.write(left);
        }
      } catch (IOException e) {
        throw BodyBuffer.noRoom(e);
      }
    }

    @Override
    public byte[] bytes() {
      try {
        ByteBuffer all = ByteBuffer.allocate(Math.toIntExact(file.size()));
        while (all.hasRemaining()) {
          if (file.read(all, all.position()) < 0) {
            throw new EOFException();
          }
        }
        return all.array();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    @Override
    public void close() {
      try {
        file.close();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
