package dev.octroi.services.language.sse;

/** An event of a stream that is larger than any honest one. */
public final class SseOverflow extends RuntimeException {

  private static final long serialVersionUID = 1L;

  SseOverflow(int limitBytes) {
    super("An event of the stream is larger than " + limitBytes + " bytes");
  }
}
