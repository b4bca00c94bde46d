package dev.octroi.services.language.sse;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/** Events written one after another, taken away when they are to leave. For one thread. */
public final class SseOut {

  private static final byte[] EVENT = "event: ".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] DATA = "data: ".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] PING = ": ping\n\n".getBytes(StandardCharsets.US_ASCII);

  private final ByteArrayOutputStream out = new ByteArrayOutputStream(512);

  /** A named event. */
  public void event(String name, byte[] json) {
    out.writeBytes(EVENT);
    out.writeBytes(name.getBytes(StandardCharsets.US_ASCII));
    out.write('\n');
    data(json);
  }

  /** An event without a name; the data holds no line break. */
  public void data(byte[] line) {
    out.writeBytes(DATA);
    out.writeBytes(line);
    out.write('\n');
    out.write('\n');
  }

  /** A comment, which every reader of events skips. */
  public void ping() {
    out.writeBytes(PING);
  }

  /** What was written since it was asked last. */
  public byte[] take() {
    byte[] bytes = out.toByteArray();
    out.reset();
    return bytes;
  }
}
