package dev.octroi.services.language.route;

import dev.octroi.services.Deadline;
import dev.octroi.services.Failure;
import dev.octroi.services.upstream.UpstreamStream;
import java.util.Iterator;
import java.util.function.Function;

/** Tries the models of a plan until one answers. */
public final class FallbackChain {

  private static final int TOO_MANY_REQUESTS = 429;
  private static final int SERVER_ERROR = 500;

  private FallbackChain() {}

  /**
   * The answer, and whose it is.
   *
   * @param candidate that answered
   * @param stream its answer, of any status
   */
  public record Answered(Candidate candidate, UpstreamStream stream) {}

  /**
   * Opens the first candidate that neither is overloaded (429), nor fails (500 and above), nor lets
   * its first byte wait for too long. What the last one says stands, whatever it is. A refusal of
   * the request (400 to 428) stands at once: another model's would be no better.
   *
   * @param open calls a candidate
   * @throws Failure if the last candidate gave no answer
   */
  public static Answered first(
      RoutePlan plan, Deadline deadline, Function<Candidate, UpstreamStream> open) {
    Iterator<Candidate> candidates = plan.candidates().iterator();
    while (true) {
      Candidate candidate = candidates.next();
      boolean last = !candidates.hasNext() || deadline.remaining().isZero();
      try {
        UpstreamStream stream = open.apply(candidate);
        if (last || !failed(stream.status())) {
          return new Answered(candidate, stream);
        }
        stream.close();
      } catch (Failure failure) {
        if (last || deadline.remaining().isZero()) {
          throw failure;
        }
      }
    }
  }

  private static boolean failed(int status) {
    return status == TOO_MANY_REQUESTS || status >= SERVER_ERROR;
  }
}
