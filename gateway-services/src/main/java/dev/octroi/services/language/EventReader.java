package dev.octroi.services.language;

import dev.octroi.services.language.sse.SseFrame;
import java.util.List;

/** Turns one stream's frames into events. Holds the state of that stream; for one thread. */
public interface EventReader {

  /** What a frame says, which may be nothing. A frame that cannot be read fails the stream. */
  List<Event> read(SseFrame frame);

  /** What the end of the bytes says: a failure, unless the answer was whole. */
  List<Event> end();
}
