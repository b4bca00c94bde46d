package dev.octroi.payments.gate;

import dev.octroi.payments.Sha256;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;

/** A request body that was read once and can be read again, with its hash. */
sealed interface BufferedBody extends AutoCloseable {

  /** A request without a body. */
  BufferedBody NONE = new InMemory(new byte[0], new ByteBudget(0));

  /** The body from its start, to be read once; closed with this. */
  InputStream stream();

  /** The whole body, for tariffs; not to be modified. */
  byte[] bytes();

  /** SHA-256 in lower-case hex. */
  String hash();

  @Override
  void close();

  /** A body short enough to stay in memory. */
  record InMemory(byte[] bytes, ByteBudget budget) implements BufferedBody {

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

  /** A long body; the file is gone once it is closed. */
  record OnDisk(Path file, String hash, InputStream stream) implements BufferedBody {

    static OnDisk write(byte[] head, InputStream rest, BodyBuffer rules) throws IOException {
      Path file = Files.createTempFile(rules.directory(), "octroi-body", null);
      MessageDigest digest = Sha256.digest();
      try (OutputStream out = Files.newOutputStream(file)) {
        byte[] chunk = head;
        long length = 0;
        for (int read = head.length; read > 0; read = rest.readNBytes(chunk, 0, BodyBuffer.CHUNK)) {
          length += read;
          if (length > rules.limit()) {
            throw rules.tooLong(rest);
          }
          digest.update(chunk, 0, read);
          out.write(chunk, 0, read);
        }
      } catch (IOException | RuntimeException e) {
        Files.deleteIfExists(file);
        throw e;
      }
      return new OnDisk(file, Sha256.hex(digest), Files.newInputStream(file));
    }

    @Override
    public byte[] bytes() {
      try {
        return Files.readAllBytes(file);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    @Override
    public void close() {
      try {
        stream.close();
        Files.deleteIfExists(file);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
