package dev.octroi.sandbox.websearch;

import java.time.Instant;
import java.util.Optional;

/** Which pages a search may find. */
record Wanted(Optional<String> category, Optional<Instant> from, Optional<Instant> to) {

  static Wanted any() {
    return new Wanted(Optional.empty(), Optional.empty(), Optional.empty());
  }
}
