package dev.octroi.payments.body;

import dev.octroi.payments.Sha256;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import org.jspecify.annotations.Nullable;

/** A request body that was read once and can be read again, with its hash. */
public final class BufferedBody implements AutoCloseable {

  /** A request without a body. */
  public static final BufferedBody NONE =
      new BufferedBody(null, new BodyWeight(), Sha256.hex(new byte[0]));

  private final @Nullable ArrivingBody come;
  private final BodyWeight weight;
  private final String hash;
  private @Nullable InputStream stream;

  BufferedBody(@Nullable ArrivingBody come, BodyWeight weight, String hash) {
    this.come = come;
    this.weight = weight;
    this.hash = hash;
  }

  /** The body from its start, to be read once; closed with this. */
  public InputStream stream() throws IOException {
    if (stream == null) {
      stream = come == null ? InputStream.nullInputStream() : come.stream();
    }
    return stream;
  }

  /** The whole body, for tariffs; not to be modified. */
  public byte[] bytes() {
    if (come == null) {
      return new byte[0];
    }
    byte[] held = come.inMemory();
    if (held != null) {
      return held;
    }
    try {
      return come.stream().readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** SHA-256 in lower-case hex. */
  public String hash() {
    return hash;
  }

  /** What working with it takes in memory. */
  public BodyWeight weight() {
    return weight;
  }

  /** Gives back its memory; a file is gone. */
  @Override
  public void close() {
    try {
      if (stream != null) {
        stream.close();
        stream = null;
      }
      if (come != null) {
        come.close();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
