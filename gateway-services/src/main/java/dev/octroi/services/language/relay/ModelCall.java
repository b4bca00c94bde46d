package dev.octroi.services.language.relay;

import dev.octroi.services.language.Dialect;
import dev.octroi.services.language.Prompt;
import dev.octroi.services.language.route.Candidate;
import dev.octroi.services.language.route.Route;
import dev.octroi.services.language.route.RoutePlan;

/**
 * A prompt that has been read, with the models that may answer it and what it costs at most.
 *
 * @param dialect the caller's protocol
 * @param body the caller's bytes; do not modify
 */
public record ModelCall(Dialect dialect, byte[] body, Prompt prompt, RoutePlan plan) {

  /** What the call is quoted at, in millionths of a dollar; zero for a free model. */
  public long micros() {
    return plan.quote().micros();
  }

  /** Whether the web is searched before a model answers. */
  public boolean searches() {
    return prompt.model().equals(Route.SEARCH.id());
  }

  /** What a model is told to write at most differs from what the caller wrote. */
  boolean isLimited(Candidate candidate) {
    Integer asked = prompt.output().maxTokens();
    return asked == null || asked != candidate.maxOutput();
  }
}
