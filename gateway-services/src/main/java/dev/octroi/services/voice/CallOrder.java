package dev.octroi.services.voice;

import java.net.URI;
import java.util.Optional;

/**
 * A call that is to be placed.
 *
 * @param from the caller id, E.164
 * @param to who is called, E.164
 * @param task what the assistant is to do, in plain words
 * @param voice one of the vendor's voices
 * @param maxMinutes when the vendor is to end it, 1 to 30
 * @param firstSentence what the assistant says first; its own choice if empty
 * @param waitForGreeting whether the assistant lets the other side speak first
 * @param webhook where the vendor is to tell of its end; nowhere if empty
 */
public record CallOrder(
    String from,
    String to,
    String task,
    String voice,
    int maxMinutes,
    Optional<String> firstSentence,
    boolean waitForGreeting,
    Optional<URI> webhook) {

  public static final int DEFAULT_MINUTES = 5;
  public static final int MOST_MINUTES = 30;

  /** The same, of whose end the vendor is to tell there. */
  public CallOrder toldAt(Optional<URI> address) {
    return new CallOrder(
        from, to, task, voice, maxMinutes, firstSentence, waitForGreeting, address);
  }
}
