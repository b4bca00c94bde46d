package dev.octroi.sandbox.language;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.octroi.sandbox.vendor.SandboxStream;
import dev.octroi.sandbox.vendor.SandboxStream.Frame;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The events of one stream as they go over the wire, up to the piece where it is to go wrong. */
final class Frames {

  private static final ObjectMapper MAPPER = new ObjectMapper();

  private final List<Frame> frames = new ArrayList<>();
  private final int paceMillis;
  private final Plan.Breach breach;
  private int pieces;
  private boolean broken;

  Frames(Plan plan) {
    this.paceMillis = plan.paceMillis();
    this.breach = plan.breach();
  }

  /** An event with a name of its own. */
  void event(String name, Map<String, @Nullable Object> data) {
    add("event: " + name + "\ndata: " + text(data) + "\n\n", 0);
  }

  /** A nameless event. */
  void data(Map<String, @Nullable Object> data) {
    add("data: " + text(data) + "\n\n", 0);
  }

  /** The nameless event that ends a stream. */
  void done() {
    add("data: [DONE]\n\n", 0);
  }

  /** Whether the next piece is to be written; if so it comes after the pause of its pace. */
  boolean nextPiece() {
    if (!broken && pieces == breach.after()) {
      broken = true;
      if (breach.cut()) {
        frames.add(new Frame("", 0, true));
      }
    }
    pieces++;
    if (!broken && paceMillis > 0) {
      frames.add(new Frame("", paceMillis, false));
    }
    return !broken;
  }

  /** Whether the stream has gone wrong by an error that its protocol is to tell. */
  boolean failed() {
    return broken && !breach.cut();
  }

  /** Writes the error of a stream that went wrong. */
  void failure(Runnable error) {
    broken = false;
    error.run();
    broken = true;
  }

  SandboxStream stream() {
    return new SandboxStream(frames);
  }

  private void add(String text, int pauseMillis) {
    if (!broken) {
      frames.add(new Frame(text, pauseMillis, false));
    }
  }

  private static String text(Map<String, @Nullable Object> data) {
    try {
      return MAPPER.writeValueAsString(data);
    } catch (JsonProcessingException impossible) {
      throw new IllegalStateException(impossible);
    }
  }
}
