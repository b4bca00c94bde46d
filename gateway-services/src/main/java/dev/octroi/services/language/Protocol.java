package dev.octroi.services.language;

import dev.octroi.services.language.sse.SseParser.SseFrame;
import java.time.Instant;
import java.util.List;

/**
 * A language protocol: its bytes, read into the neutral form and written from it. Thread-safe; the
 * readers and writers of streams are made per stream.
 */
public interface Protocol {

  Dialect dialect();

  /**
   * A caller's prompt.
   *
   * @throws InvalidPrompt 400 for what is malformed, over a limit, or never served
   */
  Prompt readPrompt(byte[] body);

  /**
   * A prompt that is only to be counted, and may lack what an answer needs.
   *
   * @throws InvalidPrompt as {@link #readPrompt} does
   */
  default Prompt readToCount(byte[] body) {
    return readPrompt(body);
  }

  /** The body that asks an upstream of this protocol, which can say all of it. */
  byte[] writePrompt(Prompt prompt, Target target);

  /**
   * The caller's own body for an upstream of the same protocol: untouched but for the model's name,
   * what the gateway needs for its accounts, and what this model does not take as it was written.
   *
   * @param prompt what was read from the body
   * @param fitting the same as the model takes it
   */
  byte[] forwardPrompt(byte[] body, Prompt prompt, Prompt fitting, Target target);

  /**
   * An upstream's whole answer.
   *
   * @throws dev.octroi.services.Failure 502 for what is no answer
   */
  Reply readReply(byte[] body);

  /** A whole answer for a caller. */
  byte[] writeReply(Reply reply, Asked asked);

  /** Reads the stream of an upstream. */
  EventReader eventReader();

  /** Writes a stream for a caller. */
  EventWriter eventWriter(Asked asked);

  /** An upstream's error, as it is; see {@link Problem#forPayer()}. */
  Problem readError(int status, byte[] body);

  /** The body of an error for a caller. */
  byte[] writeError(Problem problem);

  /** Turns one stream's frames into events. Holds the state of that stream; for one thread. */
  interface EventReader {

    /** What a frame says, which may be nothing. A frame that cannot be read fails the stream. */
    List<Event> read(SseFrame frame);

    /** What the end of the bytes says: a failure, unless the answer was whole. */
    List<Event> end();
  }

  /** Turns one stream's events into a protocol's bytes. Holds its state; for one thread. */
  interface EventWriter {

    /** The bytes that tell the event, which may be none. */
    byte[] write(Event event);
  }

  /**
   * What an answer repeats of its call.
   *
   * @param model the catalogue's name of the model that ran
   * @param at when the call was made
   */
  record Asked(Prompt prompt, String model, Instant at) {}
}
