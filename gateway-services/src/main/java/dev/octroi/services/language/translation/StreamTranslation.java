package dev.octroi.services.language.translation;

import dev.octroi.services.language.Event;
import dev.octroi.services.language.EventSequence;
import dev.octroi.services.language.Problem;
import dev.octroi.services.language.Protocol.Asked;
import dev.octroi.services.language.Protocol.EventReader;
import dev.octroi.services.language.Protocol.EventWriter;
import dev.octroi.services.language.sse.SseParser;
import dev.octroi.services.language.sse.SseParser.SseFrame;
import dev.octroi.services.language.sse.SseParser.SseOverflow;
import java.io.ByteArrayOutputStream;
import java.util.List;
import java.util.function.Consumer;

/**
 * One stream on its way from an upstream to a caller, an event at a time: bytes in as they come,
 * bytes out for every event that they made whole. After a failure nothing more comes out. For one
 * thread.
 */
public final class StreamTranslation {

  private static final Event UNREADABLE = new Event.Failed(EventSequence.broken());

  private final SseParser parser = new SseParser();
  private final EventReader reader;
  private final EventWriter writer;
  private final Asked asked;
  private final boolean passes;
  private final Consumer<Event> listener;
  private int stopped;
  private boolean over;

  StreamTranslation(
      EventReader reader,
      EventWriter writer,
      Asked asked,
      boolean passes,
      Consumer<Event> listener) {
    this.reader = reader;
    this.writer = writer;
    this.asked = asked;
    this.passes = passes;
    this.listener = listener;
  }

  /** What these bytes of the upstream tell the caller. */
  public byte[] feed(byte[] bytes, int offset, int length) {
    ByteArrayOutputStream out = new ByteArrayOutputStream(length);
    try {
      for (SseFrame frame : parser.feed(bytes, offset, length)) {
        frame(frame, out);
      }
    } catch (SseOverflow tooLarge) {
      out.writeBytes(fail(EventSequence.broken()));
    }
    return out.toByteArray();
  }

  /** What the caller is told when the upstream's bytes end: an error, unless all was told. */
  public byte[] end() {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    if (over) {
      return out.toByteArray();
    }
    for (Event said : reader.end()) {
      Event event = whole(said);
      listen(event);
      if (!passes || event instanceof Event.Failed) {
        out.writeBytes(told(event));
      }
    }
    over = true;
    return out.toByteArray();
  }

  /** The stream is broken off, by the gateway or by the way to the upstream. */
  public byte[] fail(Problem problem) {
    if (over) {
      return new byte[0];
    }
    Event failed = new Event.Failed(problem);
    listen(failed);
    return writer.write(failed);
  }

  /** A sign of life for an idle stream. */
  public byte[] ping() {
    return over ? new byte[0] : writer.write(new Event.Ping());
  }

  /** Whether the end or a failure was told. */
  public boolean isOver() {
    return over;
  }

  private void frame(SseFrame frame, ByteArrayOutputStream out) {
    if (over) {
      return;
    }
    List<Event> events = reader.read(frame);
    boolean unreadable = false;
    for (Event said : events) {
      Event event = whole(said);
      listen(event);
      unreadable |= event.equals(UNREADABLE);
      if (!passes || event.equals(UNREADABLE)) {
        out.writeBytes(told(event));
      }
    }
    if (passes && !unreadable && !unasked(events)) {
      out.writeBytes(frame.raw());
    }
  }

  /** A stream that ends before each of several answers did is not whole. */
  private Event whole(Event event) {
    stopped += event instanceof Event.Stopped ? 1 : 0;
    int asked = this.asked.prompt().output().candidates();
    boolean fewer = asked > 1 && stopped < asked;
    return fewer && event instanceof Event.Ended ? UNREADABLE : event;
  }

  /** The upstream's own words about a failure may tell of the inside, ours do not. */
  private byte[] told(Event event) {
    boolean theirs = event instanceof Event.Failed && !event.equals(UNREADABLE);
    return writer.write(
        theirs ? new Event.Failed(((Event.Failed) event).problem().forPayer()) : event);
  }

  /** The count of tokens that the gateway asked for and the caller did not. */
  private boolean unasked(List<Event> events) {
    return !asked.prompt().streaming().usage()
        && !events.isEmpty()
        && events.stream().allMatch(Event.Used.class::isInstance);
  }

  private void listen(Event event) {
    over |= event instanceof Event.Ended || event instanceof Event.Failed;
    listener.accept(event);
  }
}
