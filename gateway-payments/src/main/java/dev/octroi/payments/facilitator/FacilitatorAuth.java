package dev.octroi.payments.facilitator;

import java.net.URI;
import java.util.Optional;

/** Who we are to a remote facilitator. Thread-safe. */
@FunctionalInterface
public interface FacilitatorAuth {

  /** Says nothing. */
  FacilitatorAuth NONE = (method, uri) -> Optional.empty();

  /** The value of {@code Authorization} for one request; empty for none. */
  Optional<String> header(String method, URI uri);

  /** The same token with every request. */
  static FacilitatorAuth bearer(String token) {
    Optional<String> header = Optional.of("Bearer " + token);
    return (method, uri) -> header;
  }
}
