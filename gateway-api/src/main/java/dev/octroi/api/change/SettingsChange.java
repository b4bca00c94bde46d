package dev.octroi.api.change;

import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * A change of settings, as the database has it. Immutable.
 *
 * @param number 1 for the first that was ever written, then one more each
 * @param written when it was written
 * @param from since when it holds, on every node at the same moment
 * @param by who wrote it
 * @param note why, as the operator says it; may be empty
 * @param lines values by key, in the order in which they were given; an empty one gives its key,
 *     and all keys below it, back to the file. Secrets are as they are sealed
 */
public record SettingsChange(
    long number,
    Instant written,
    Instant from,
    String by,
    String note,
    Map<String, Optional<String>> lines) {

  public SettingsChange {
    lines = Collections.unmodifiableMap(new LinkedHashMap<>(lines));
  }

  /** What messages call it. */
  public String name() {
    return "change " + number;
  }
}
