package dev.octroi.payments.body;

import dev.octroi.payments.CallRefused;
import dev.octroi.payments.Exchange;
import dev.octroi.payments.Sha256;
import dev.octroi.payments.body.BodyMemory.BodyWeight;
import dev.octroi.payments.body.BodyMemory.ByteBudget;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes in request bodies, out of memory and disk that all of them share ({@link ArrivingBody}). A
 * host that can wait for a body without a thread takes it in by {@link #arriving} before it calls
 * the application; elsewhere a thread of the server waits, within {@link #pace}. Thread-safe.
 */
public final class BodyBuffer {

  private static final Logger LOG = LoggerFactory.getLogger(BodyBuffer.class);

  static final int CHUNK = 16 * 1024;

  private static final String PACED = "dev.octroi.payments.paced";

  private final long limit;
  private final ByteBudget memory;
  private final ByteBudget disk;
  private final BodyMemory working;
  private final Path directory;
  private final BodyPace pace;
  private final Semaphore waiting;

  /**
   * @param limit longest body in bytes; a longer one is 413
   * @param memory what all bodies share; one that finds none lies on disk
   * @param disk likewise; 503 when it is used up
   * @param working memory that working with all bodies together may take
   * @param directory where long bodies are kept
   * @param pace how fast a body has to come; 408 for a slower one
   * @param waiting how many threads may wait for bodies at the same time; 503 for one more
   */
  public BodyBuffer(
      long limit,
      ByteBudget memory,
      ByteBudget disk,
      BodyMemory working,
      Path directory,
      BodyPace pace,
      Semaphore waiting) {
    this.limit = limit;
    this.memory = memory;
    this.disk = disk;
    this.working = working;
    this.directory = directory;
    this.pace = pace;
    this.waiting = waiting;
    sayIfUnwritable(directory);
  }

  private BodyBuffer(BodyBuffer room, long limit) {
    this.limit = limit;
    this.memory = room.memory;
    this.disk = room.disk;
    this.working = room.working;
    this.directory = room.directory;
    this.pace = room.pace;
    this.waiting = room.waiting;
  }

  /** Says in the log now what callers with long bodies would else find out. */
  private static void sayIfUnwritable(Path directory) {
    try {
      Files.delete(Files.createTempFile(directory, ArrivingBody.PREFIX, null));
    } catch (IOException e) {
      LOG.warn(
          "The temporary folder {} cannot be written ({}): calls with bodies above {} KiB get 503."
              + " Set -Djava.io.tmpdir to another.",
          directory,
          e.toString(),
          ArrivingBody.MAX_IN_MEMORY / 1024);
    }
  }

  /** The same room for bodies that may be longer or shorter. */
  public BodyBuffer withLimit(long bytes) {
    return new BodyBuffer(this, bytes);
  }

  /** The longest body in bytes. */
  public long limit() {
    return limit;
  }

  /** How fast a body has to come. */
  public BodyPace pace() {
    return pace;
  }

  /** Begins to take in a body; the caller of this method closes it. */
  public ArrivingBody arriving() {
    return new ArrivingBody(this);
  }

  ByteBudget memory() {
    return memory;
  }

  public BodyMemory working() {
    return working;
  }

  ByteBudget disk() {
    return disk;
  }

  Path directory() {
    return directory;
  }

  /**
   * Lets no read of this request's body wait beyond its pace, whatever code reads it; again and
   * again is the same as once.
   */
  public void pace(Exchange request) {
    InputStream received = request.body();
    if (received != null && request.property(PACED) == null) {
      request.property(PACED, true);
      request.body(paced(received, ReceivedBody.announced(request)));
    }
  }

  InputStream paced(InputStream received, long announced) {
    return new PacedStream(received, announced, pace.watch(), waiting);
  }

  /** Reads all of a body. Throws {@link CallRefused} if it is too long or there is no room. */
  public BufferedBody read(InputStream in, long declaredLength) throws IOException {
    if (declaredLength > limit) {
      throw tooLong(in);
    }
    ArrivingBody arriving = arriving();
    boolean kept = false;
    try {
      MessageDigest digest = Sha256.digest();
      BodyWeight weight = new BodyWeight();
      byte[] chunk =
          new byte[declaredLength < 0 ? CHUNK : (int) Math.min(declaredLength + 1, CHUNK)];
      for (int read = in.read(chunk); read > 0; read = in.read(chunk)) {
        digest.update(chunk, 0, read);
        weight.add(chunk, read);
        arriving.add(ByteBuffer.wrap(chunk, 0, read));
      }
      BufferedBody body = new BufferedBody(arriving, weight, Sha256.hex(digest));
      kept = true;
      return body;
    } catch (BodyRefused e) {
      discard(in);
      throw e.asAnswer();
    } finally {
      if (!kept) {
        arriving.close();
      }
    }
  }

  /**
   * 413, once the sender had a chance to finish: a connection that is closed while somebody still
   * writes into it is a reset to them, and the answer is lost.
   */
  private CallRefused tooLong(InputStream rest) {
    discard(rest);
    return BodyRefused.tooLong().asAnswer();
  }

  /** Reads at most one more limit's worth of a body, and forgets it. */
  public void discard(InputStream rest) {
    byte[] discarded = new byte[CHUNK];
    long left = limit;
    try {
      int read = rest.read(discarded);
      while (read > 0 && left > 0) {
        left -= read;
        read = rest.read(discarded);
      }
    } catch (IOException | CallRefused e) {
      // The sender broke off, or takes too long: the answer is as good as it was.
      LOG.debug("A body that was not wanted did not end", e);
    }
  }

  /** A request body that was read once and can be read again, with its hash. */
  public static final class BufferedBody implements AutoCloseable {

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

    /** In bytes. */
    public long length() {
      return come == null ? 0 : come.length();
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

  /**
   * A request body that is read by a thread of the server which waits for it: within its {@link
   * BodyPace}, as far as the server lets go of a read, and only while few others wait likewise.
   * Throws what becomes the answer.
   */
  static final class PacedStream extends FilterInputStream {

    private final BodyPace.Watch watch;
    private final Semaphore waiting;
    private final long announced;
    private long come;
    private @Nullable BodyRefused refused;

    PacedStream(InputStream in, long announced, BodyPace.Watch watch, Semaphore waiting) {
      super(in);
      this.announced = announced;
      this.watch = watch;
      this.waiting = waiting;
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] buffer, int offset, int length) throws IOException {
      if (refused != null) {
        throw refused(refused);
      }
      int read = next(buffer, offset, length);
      if (read > 0) {
        come += read;
        if (come != announced && watch.isLate(come)) {
          throw refused(BodyRefused.tooSlow());
        }
      }
      return read;
    }

    private int next(byte[] buffer, int offset, int length) throws IOException {
      if (come == announced || in.available() > 0) {
        return in.read(buffer, offset, length);
      }
      if (!waiting.tryAcquire()) {
        throw refused(BodyRefused.tooMany());
      }
      try {
        return in.read(buffer, offset, length);
      } finally {
        waiting.release();
      }
    }

    /** What is read after it is refused as well. */
    private CallRefused refused(BodyRefused why) {
      refused = why;
      return why.asAnswer();
    }

    @Override
    public long skip(long bytes) throws IOException {
      byte[] skipped = new byte[(int) Math.min(Math.max(bytes, 0), BodyBuffer.CHUNK)];
      int read = read(skipped, 0, skipped.length);
      return Math.max(read, 0);
    }

    @Override
    public boolean markSupported() {
      return false;
    }
  }
}
