package dev.octroi.reference.architecture.broken.api.cellar;

import dev.octroi.reference.architecture.broken.api.Ceiling;
import java.util.Optional;

/** Sees the root of its module. */
public record Cellar(Optional<Ceiling> above) {

  static Cellar below(Ceiling ceiling) {
    return new Cellar(Optional.of(ceiling));
  }
}
