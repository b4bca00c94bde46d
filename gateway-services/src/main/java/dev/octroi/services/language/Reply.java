package dev.octroi.services.language;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a model answered.
 *
 * @param id the upstream's
 * @param model the upstream's name for the model that ran
 * @param stopSequence the sequence that ended it, where the upstream says which
 */
public record Reply(
    String id,
    String model,
    List<Part> parts,
    StopReason stop,
    @Nullable String stopSequence,
    Usage usage) {

  public Reply {
    parts = List.copyOf(parts);
  }
}
