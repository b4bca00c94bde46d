package dev.octroi.api.settings;

import java.util.Optional;

/** A named set of defaults. */
public enum Profile {
  /** Nothing but the defaults of the reference page. */
  NONE,
  /** The vendors' public addresses and the venues' real names. */
  LIVE;

  /** The file with its settings, in the jar. */
  Optional<String> resource() {
    return this == LIVE ? Optional.of("/dev/octroi/api/live.properties") : Optional.empty();
  }
}
