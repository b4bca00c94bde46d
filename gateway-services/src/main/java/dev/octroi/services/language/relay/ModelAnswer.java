package dev.octroi.services.language.relay;

import dev.octroi.services.language.Problem;

/** What became of a call. */
public sealed interface ModelAnswer {

  /**
   * The whole answer at once.
   *
   * @param body in the caller's protocol; do not modify
   * @param micros what it cost, in millionths of a dollar, at most the quote
   */
  record Whole(String model, byte[] body, long micros) implements ModelAnswer {}

  /** An answer that has begun and must be closed. */
  record Streamed(ModelStream stream) implements ModelAnswer {}

  /**
   * No model answered; nothing is charged.
   *
   * @param body in the caller's protocol
   */
  record Refused(Problem problem, byte[] body) implements ModelAnswer {}
}
