package dev.octroi.services.language.sse;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Cuts bytes into events by the rules of the WHATWG for event streams: bytes in as they come,
 * events out as they are whole. It holds one event at a time; what follows the last blank line when
 * the stream ends is no event. For one thread.
 */
public final class SseParser {

  /** Enough for an event that repeats a whole answer. */
  public static final int DEFAULT_EVENT_BYTES = 16 * 1024 * 1024;

  private static final String BYTE_ORDER_MARK = "\uFEFF";

  private final int eventBytes;
  private final ByteArrayOutputStream line = new ByteArrayOutputStream(256);
  private final ByteArrayOutputStream raw = new ByteArrayOutputStream(512);
  private final StringBuilder data = new StringBuilder();
  private String event = "";
  private boolean hasData;
  private boolean hasComment;
  private boolean firstLine = true;
  private boolean afterReturn;

  public SseParser() {
    this(DEFAULT_EVENT_BYTES);
  }

  /**
   * @param eventBytes largest event, its names and comments included
   */
  public SseParser(int eventBytes) {
    this.eventBytes = eventBytes;
  }

  /**
   * The events that these bytes made whole. A block of comments alone is told as a frame without
   * data, so that it can be passed on.
   *
   * @throws SseOverflow when an event grows over the limit
   */
  public List<SseFrame> feed(byte[] bytes, int offset, int length) {
    List<SseFrame> frames = new ArrayList<>();
    int end = offset + length;
    int from = offset;
    while (from < end) {
      if (afterReturn && bytes[from] == '\n') {
        trailingFeed(frames);
        from++;
      }
      afterReturn = false;
      int to = lineEnd(bytes, from, end);
      line.write(bytes, from, to - from);
      raw.write(bytes, from, Math.min(end, to + 1) - from);
      if (raw.size() > eventBytes) {
        throw new SseOverflow(eventBytes);
      }
      if (to < end) {
        afterReturn = bytes[to] == '\r';
        endLine(frames);
      }
      from = to + 1;
    }
    return frames;
  }

  private static int lineEnd(byte[] bytes, int from, int end) {
    int to = from;
    while (to < end && bytes[to] != '\n' && bytes[to] != '\r') {
      to++;
    }
    return to;
  }

  public List<SseFrame> feed(byte[] bytes) {
    return feed(bytes, 0, bytes.length);
  }

  /**
   * The feed of a CR LF whose CR ended a line. If that line ended an event, the feed opens the next
   * one's bytes: an event is told at the CR, without waiting for what may never come.
   */
  private void trailingFeed(List<SseFrame> frames) {
    int last = frames.size() - 1;
    if (raw.size() == 0 && last >= 0) {
      SseFrame frame = frames.get(last);
      byte[] whole = new byte[frame.raw().length + 1];
      System.arraycopy(frame.raw(), 0, whole, 0, frame.raw().length);
      whole[whole.length - 1] = '\n';
      frames.set(last, new SseFrame(frame.event(), frame.data(), whole));
    } else {
      raw.write('\n');
    }
  }

  private void endLine(List<SseFrame> frames) {
    String text = line.toString(StandardCharsets.UTF_8);
    line.reset();
    if (firstLine) {
      firstLine = false;
      text = text.startsWith(BYTE_ORDER_MARK) ? text.substring(1) : text;
    }
    if (text.isEmpty()) {
      dispatch(frames);
    } else {
      field(text);
    }
  }

  private void field(String text) {
    int colon = text.indexOf(':');
    String name = colon < 0 ? text : text.substring(0, colon);
    String value = colon < 0 ? "" : text.substring(colon + 1);
    if (value.startsWith(" ")) {
      value = value.substring(1);
    }
    switch (name) {
      case "" -> hasComment = true;
      case "event" -> event = value;
      case "data" -> {
        if (hasData) {
          data.append('\n');
        }
        data.append(value);
        hasData = true;
      }
      default -> {
        // id and retry serve reconnection, which language streams do not know
      }
    }
  }

  private void dispatch(List<SseFrame> frames) {
    if (hasData || hasComment) {
      frames.add(new SseFrame(event, data.toString(), raw.toByteArray()));
      raw.reset();
    }
    event = "";
    data.setLength(0);
    hasData = false;
    hasComment = false;
  }

  /**
   * One event of a stream.
   *
   * @param event its type, empty where the stream gives none
   * @param data its data lines, joined; empty for a block of comments
   * @param raw the bytes it came in, blank line included, for those who pass it on; do not modify
   */
  public record SseFrame(String event, String data, byte[] raw) {

    public static SseFrame of(String event, String data) {
      return new SseFrame(event, data, new byte[0]);
    }
  }

  /** An event of a stream that is larger than any honest one. */
  public static final class SseOverflow extends RuntimeException {

    private static final long serialVersionUID = 1L;

    SseOverflow(int limitBytes) {
      super("An event of the stream is larger than " + limitBytes + " bytes");
    }
  }
}
