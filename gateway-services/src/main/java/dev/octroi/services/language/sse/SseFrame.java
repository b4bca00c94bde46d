package dev.octroi.services.language.sse;

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
