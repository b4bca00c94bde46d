package dev.octroi.payments.gate;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads request bodies into memory or, above {@value #MAX_IN_MEMORY} bytes, into a temporary file.
 *
 * @param limit longest body in bytes; a longer one is 413
 * @param budget memory that all bodies share; 503 when it is used up
 * @param working memory that working with all bodies together may take
 * @param directory where long bodies are kept
 */
record BodyBuffer(long limit, ByteBudget budget, BodyMemory working, Path directory) {

  private static final Logger LOG = LoggerFactory.getLogger(BodyBuffer.class);

  static final int MAX_IN_MEMORY = 64 * 1024;
  static final int CHUNK = 16 * 1024;

  /** Says in the log now what callers with long bodies would else find out. */
  BodyBuffer {
    try {
      Files.delete(Files.createTempFile(directory, BufferedBody.PREFIX, null));
    } catch (IOException e) {
      LOG.warn(
          "The temporary folder {} cannot be written ({}): calls with bodies above {} KiB get 503."
              + " Set -Djava.io.tmpdir to another.",
          directory,
          e.toString(),
          MAX_IN_MEMORY / 1024);
    }
  }

  /** Reads all of a body. Throws {@link Refusal} if it is too long or there is no room. */
  BufferedBody read(InputStream in, long declaredLength) throws IOException {
    if (declaredLength > limit) {
      throw tooLong(in);
    }
    if (!budget.take(MAX_IN_MEMORY)) {
      throw new Refusal(FlatErrors.busy("The server is short of memory for request bodies."));
    }
    int taken = MAX_IN_MEMORY;
    try {
      byte[] head = in.readNBytes(MAX_IN_MEMORY);
      if (head.length < MAX_IN_MEMORY) {
        budget.giveBack(MAX_IN_MEMORY - head.length);
        taken = 0;
        BodyWeight weight = new BodyWeight();
        weight.add(head, head.length);
        return new BufferedBody.InMemory(head, weight, budget);
      }
      return BufferedBody.OnDisk.write(head, in, this);
    } finally {
      budget.giveBack(taken);
    }
  }

  /** 503: the temporary folder is full, or cannot be written at all. */
  static Refusal noRoom(IOException why) {
    LOG.debug("A long body could not be kept", why);
    return new Refusal(FlatErrors.busy("The server has no room for a body of this length."));
  }

  /**
   * 413, once the sender had a chance to finish: a connection that is closed while somebody still
   * writes into it is a reset to them, and the answer is lost.
   */
  Refusal tooLong(InputStream rest) {
    discard(rest);
    return new Refusal(FlatErrors.of(413, "The request body is too long."));
  }

  /** Reads at most one more limit's worth of a body, and forgets it. */
  void discard(InputStream rest) {
    byte[] discarded = new byte[CHUNK];
    long left = limit;
    try {
      int read = rest.read(discarded);
      while (read > 0 && left > 0) {
        left -= read;
        read = rest.read(discarded);
      }
    } catch (IOException e) {
      // The sender broke off: there is nobody to answer, which the container finds out itself.
      LOG.debug("A body that was not wanted broke off", e);
    }
  }
}
