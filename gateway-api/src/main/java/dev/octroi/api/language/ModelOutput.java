package dev.octroi.api.language;

import dev.octroi.services.language.relay.ModelStream;
import jakarta.ws.rs.core.StreamingOutput;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;

/**
 * A streamed answer on its way out. Closed where it may not leave after all, so that its upstream
 * does not wait for a reader who never comes.
 *
 * @param end states the charge, once everything has left or the reader has
 */
record ModelOutput(ModelStream stream, Runnable end) implements StreamingOutput, Closeable {

  @Override
  public void write(OutputStream out) throws IOException {
    try {
      stream.writeTo(out);
    } finally {
      end.run();
    }
  }

  @Override
  public void close() {
    stream.close();
  }
}
