package dev.octroi.payments.body;

import dev.octroi.payments.CallRefused;
import dev.octroi.payments.HttpAnswer;
import java.io.IOException;

/** A request body that is not taken in, and how its sender is told. */
public final class BodyRefused extends IOException {

  private static final long serialVersionUID = 1L;

  private final int status;
  private final String sentence;

  private BodyRefused(int status, String sentence) {
    super(sentence);
    this.status = status;
    this.sentence = sentence;
  }

  /** 413: it is longer than any body may be. */
  public static BodyRefused tooLong() {
    return new BodyRefused(413, "The request body is too long.");
  }

  /** 408: it comes too slowly. */
  public static BodyRefused tooSlow() {
    return new BodyRefused(408, "The request body did not arrive in time.");
  }

  /** 503: bodies take up all that they may. */
  static BodyRefused noRoom() {
    return new BodyRefused(503, "The server has no room for request bodies at the moment.");
  }

  /** 503: all threads that may wait for bodies do. */
  static BodyRefused tooMany() {
    return new BodyRefused(503, "Too many request bodies are under way at the moment.");
  }

  /** The status of the answer. */
  public int status() {
    return status;
  }

  /** What the sender is told, one sentence. */
  public String sentence() {
    return sentence;
  }

  CallRefused asAnswer() {
    return new CallRefused(
        status == 503 ? HttpAnswer.busy(sentence) : HttpAnswer.error(status, sentence));
  }
}
