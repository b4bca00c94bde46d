package dev.octroi.services.read;

import dev.octroi.services.upstream.UpstreamAnswer;

/** Makes a record that the specification states from the upstream's body. Thread-safe. */
@FunctionalInterface
public interface AnswerMapper {

  /**
   * The body for the caller; the upstream's own array where nothing is stated.
   *
   * @throws dev.octroi.services.Failure 502 for a body of another shape, or the caller's own error
   */
  byte[] map(Arguments arguments, UpstreamAnswer answer);
}
