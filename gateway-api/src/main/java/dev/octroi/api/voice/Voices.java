package dev.octroi.api.voice;

import dev.octroi.services.ErrorCode;
import dev.octroi.services.Failure;
import java.util.List;
import java.util.Optional;

/**
 * The voices that may be asked for (decisions, voice presets).
 *
 * @param presets as callers name them
 * @param preset what speaks where none is asked for
 */
record Voices(List<String> presets, String preset) {

  /**
   * The voice that is asked for.
   *
   * @throws Failure 400 {@code invalid_params} for one that is not on the list
   */
  String of(Optional<String> asked) {
    String voice = asked.orElse(preset);
    if (!presets.contains(voice)) {
      throw new Failure(ErrorCode.INVALID_PARAMS, "voice is one of " + String.join(", ", presets));
    }
    return voice;
  }
}
