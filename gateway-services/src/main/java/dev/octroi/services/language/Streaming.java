package dev.octroi.services.language;

/**
 * Whether the answer comes event by event.
 *
 * @param usage whether the caller wants the count of tokens at the end, where the protocol leaves
 *     that to it
 */
public record Streaming(boolean on, boolean usage) {

  public static final Streaming OFF = new Streaming(false, false);
}
