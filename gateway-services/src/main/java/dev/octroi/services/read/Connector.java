package dev.octroi.services.read;

import dev.octroi.services.Answer;
import dev.octroi.services.read.ReadSource.Computation;
import dev.octroi.services.upstream.UpstreamAnswer;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What is special about one vendor: how a read is asked, what a success becomes, and what an error
 * becomes. Thread-safe, without state.
 */
public interface Connector {

  /** A caller's query under the names that the row lists, for names that stand for them. */
  default Map<String, List<String>> named(Read row, Map<String, List<String>> query) {
    return query;
  }

  /**
   * What is asked of the upstream, or asked first.
   *
   * @param now the time of the call
   * @throws dev.octroi.services.Failure 400 for arguments that do not go together, or that the
   *     vendor does not know
   */
  default UpstreamTarget target(Read row, Arguments arguments, Instant now) {
    return UpstreamTarget.of(row, arguments);
  }

  /**
   * Looks at a 200 of the vendor's before anything is made of it.
   *
   * @throws dev.octroi.services.Failure 502 for one that lacks what the vendor's contract promises
   */
  default void check(UpstreamTarget asked, UpstreamAnswer answer) {}

  /** What makes the body of several requests; empty where these arguments need but one. */
  default Optional<Computation> computation(Read row, Arguments arguments) {
    return row.source().computation();
  }

  /** The answer for an upstream's 2xx; its bytes untouched unless a record is stated. */
  default Answer success(Read row, Arguments arguments, UpstreamAnswer upstream) {
    return Answer.json(upstream.status(), upstream.body());
  }

  /**
   * The answer for an upstream's 400 and above, where it passes through.
   *
   * @throws dev.octroi.services.Failure where the gateway has its own word for it
   */
  Answer error(Read row, Arguments arguments, UpstreamAnswer upstream);
}
