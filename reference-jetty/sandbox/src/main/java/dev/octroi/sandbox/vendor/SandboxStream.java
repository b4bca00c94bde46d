package dev.octroi.sandbox.vendor;

import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * An answer that a vendor writes bit by bit, as the body of a {@link SandboxAnswer}.
 *
 * @param frames in their order
 */
public record SandboxStream(List<Frame> frames) {

  /** The media type of every stream. */
  static final String MEDIA_TYPE = "text/event-stream; charset=utf-8";

  public SandboxStream {
    frames = List.copyOf(frames);
  }

  /**
   * What is written at once.
   *
   * @param text what is written; empty for nothing
   * @param pauseMillis how long the vendor is silent before
   * @param cut whether the connection breaks here instead
   */
  public record Frame(String text, int pauseMillis, boolean cut) {

    byte[] bytes() {
      return text.getBytes(StandardCharsets.UTF_8);
    }
  }
}
