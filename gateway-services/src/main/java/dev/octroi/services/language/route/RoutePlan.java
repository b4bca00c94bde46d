package dev.octroi.services.language.route;

import dev.octroi.services.language.price.TokenQuote;
import java.util.List;

/**
 * The models that may run a request, the chosen one first; none costs more than it.
 *
 * @param candidates at least one, in the order in which they are tried
 */
public record RoutePlan(List<Candidate> candidates) {

  public RoutePlan {
    candidates = List.copyOf(candidates);
    if (candidates.isEmpty()) {
      throw new IllegalArgumentException("a plan has a model");
    }
  }

  public Candidate first() {
    return candidates.get(0);
  }

  /** What is asked for the request, whichever of its models will run. */
  public TokenQuote quote() {
    return first().quote();
  }
}
