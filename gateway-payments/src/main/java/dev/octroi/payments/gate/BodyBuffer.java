package dev.octroi.payments.gate;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;

/**
 * Reads request bodies into memory or, above {@value #MAX_IN_MEMORY} bytes, into a temporary file.
 *
 * @param limit longest body in bytes; a longer one is 413
 * @param budget memory that all bodies share; 503 when it is used up
 * @param directory where long bodies are kept
 */
record BodyBuffer(long limit, ByteBudget budget, Path directory) {

  static final int MAX_IN_MEMORY = 64 * 1024;
  static final int CHUNK = 16 * 1024;

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
        return new BufferedBody.InMemory(head, budget);
      }
      return BufferedBody.OnDisk.write(head, in, this);
    } finally {
      budget.giveBack(taken);
    }
  }

  /**
   * 413, once the sender had a chance to finish: a connection that is closed while somebody still
   * writes into it is a reset to them, and the answer is lost.
   */
  Refusal tooLong(InputStream rest) throws IOException {
    byte[] discarded = new byte[CHUNK];
    long left = limit;
    int read = rest.read(discarded);
    while (read > 0 && left > 0) {
      left -= read;
      read = rest.read(discarded);
    }
    return new Refusal(FlatErrors.of(413, "The request body is too long."));
  }
}
