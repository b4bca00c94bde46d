package dev.octroi.services.upstream;

import java.time.Instant;
import java.util.Optional;

/**
 * What an upstream says when it is asked for nothing: that it is there, and what it makes of our
 * credential.
 *
 * @param status HTTP status; 404 is as good as 200, for few upstreams have something at their base
 *     address
 * @param date the upstream's clock, to the second, where it tells it
 */
public record Probe(int status, Optional<Instant> date) {

  private static final int UNAUTHORIZED = 401;
  private static final int FORBIDDEN = 403;

  /** Whether it refuses the credential; one that looks at credentials elsewhere only does not. */
  public boolean refused() {
    return status == UNAUTHORIZED || status == FORBIDDEN;
  }

  /** Whether it says itself that it cannot serve. */
  public boolean broken() {
    return status >= 500;
  }
}
