package dev.octroi.services.smartsearch;

import dev.octroi.services.language.Dialect;
import dev.octroi.services.language.Event;
import dev.octroi.services.language.Protocol.EventReader;
import dev.octroi.services.language.Protocol.EventWriter;
import dev.octroi.services.language.relay.ModelStream;
import dev.octroi.services.language.sse.SseParser;
import dev.octroi.services.language.sse.SseParser.SseFrame;
import dev.octroi.services.language.translation.Translation.Protocols;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;

/**
 * A summary that leaves as the model writes it, event by event. Written by one thread; closing it
 * any thread may.
 */
public final class SummaryStream implements AutoCloseable {

  /** More than a model may say before its first word, besides thoughts. */
  private static final int LONGEST_HEAD = 64 * 1024;

  private final ModelStream stream;
  private final CitedEvents cited;
  private final EventWriter writer;
  private final SseParser parser = new SseParser();
  private final EventReader reader = Protocols.of(Dialect.CHAT).eventReader();
  private final ByteArrayOutputStream head = new ByteArrayOutputStream();

  SummaryStream(ModelStream stream, CitedEvents cited, EventWriter writer) {
    this.stream = stream;
    this.cited = cited;
    this.writer = writer;
  }

  /** Waits for the first word of the summary; false if none comes. */
  boolean begin() {
    try {
      stream.writeUntil(() -> cited.hasWords() || head.size() > LONGEST_HEAD, new Retold(head));
      return cited.hasWords();
    } catch (IOException impossible) {
      throw new UncheckedIOException("memory takes all that is written", impossible);
    }
  }

  /** The public name of the model that writes. */
  public String model() {
    return stream.model();
  }

  /**
   * Writes all of it, and the error event of its protocol if the model breaks off.
   *
   * @throws IOException if the reader is gone
   */
  public void writeTo(OutputStream out) throws IOException {
    head.writeTo(out);
    stream.writeTo(new Retold(out));
  }

  /** Hangs up on the model if it is still writing. */
  @Override
  public void close() {
    stream.close();
  }

  /** Takes the model's events in the chat protocol; what goes out is the caller's. */
  private final class Retold extends OutputStream {

    private final OutputStream out;

    Retold(OutputStream out) {
      this.out = out;
    }

    @Override
    public void write(int one) throws IOException {
      write(new byte[] {(byte) one}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      for (SseFrame frame : parser.feed(bytes, offset, length)) {
        if (frame.data().isEmpty()) {
          tell(new Event.Ping());
        }
        for (Event event : reader.read(frame)) {
          tell(event);
        }
      }
    }

    private void tell(Event event) throws IOException {
      for (Event told : cited.of(event)) {
        out.write(writer.write(told));
      }
    }

    @Override
    public void flush() throws IOException {
      out.flush();
    }
  }
}
