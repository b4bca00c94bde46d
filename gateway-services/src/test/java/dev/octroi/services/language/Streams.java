package dev.octroi.services.language;

import dev.octroi.services.language.Protocol.EventReader;
import dev.octroi.services.language.sse.SseParser.SseFrame;
import java.util.ArrayList;
import java.util.List;

/** Events that a protocol's reader makes of data lines. */
public final class Streams {

  private Streams() {}

  /** The events of these data lines, in which quotes are single, and of the end behind them. */
  public static List<Event> events(Protocol protocol, String... data) {
    EventReader reader = protocol.eventReader();
    List<Event> events = new ArrayList<>();
    for (String line : data) {
      events.addAll(reader.read(SseFrame.of("", line.replace('\'', '"'))));
    }
    events.addAll(reader.end());
    return events;
  }

  public static Reply whole(List<Event> events) {
    ReplyBuilder builder = new ReplyBuilder();
    events.forEach(event -> event.accept(builder));
    return builder.reply();
  }

  public static Event last(List<Event> events) {
    return events.get(events.size() - 1);
  }
}
