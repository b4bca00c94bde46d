package dev.octroi.services.language.catalogue;

import dev.octroi.services.language.Dialect;
import dev.octroi.services.language.Quirk;
import java.util.Set;

/**
 * Where a model runs.
 *
 * @param upstream the configured name of its upstream
 * @param model what the upstream calls it
 * @param protocol what the upstream speaks
 * @param quirks how its use of the protocol differs from the protocol's own
 */
public record ModelSource(String upstream, String model, Dialect protocol, Set<Quirk> quirks) {

  public ModelSource {
    quirks = Set.copyOf(quirks);
  }
}
