package dev.octroi.services.language.relay;

import dev.octroi.services.language.Dialect;
import dev.octroi.services.language.Prompt;
import java.util.List;

/**
 * A prompt that has been read, with the models that may answer it and what it costs at most.
 *
 * @param dialect the caller's protocol
 * @param body the caller's bytes; do not modify
 * @param limit most tokens of the answer, which the caller set or the gateway sets for it
 * @param input tokens of the prompt, never fewer than there are
 */
public record ModelCall(
    Dialect dialect,
    byte[] body,
    Prompt prompt,
    int limit,
    long input,
    List<Candidate> candidates) {

  public ModelCall {
    candidates = List.copyOf(candidates);
  }

  /** What the call is quoted at, in millionths of a dollar; zero for a free model. */
  public long micros() {
    return candidates.get(0).most().micros();
  }

  /** The public name of the model that is asked first. */
  public String model() {
    return candidates.get(0).model().fullId();
  }
}
