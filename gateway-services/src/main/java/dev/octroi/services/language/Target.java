package dev.octroi.services.language;

import java.util.Set;

/**
 * The upstream's model that a prompt is written for.
 *
 * @param model the upstream's own name for it
 * @param maxOutputTokens what is asked for when the caller sets no limit and the protocol wants one
 */
public record Target(String model, int maxOutputTokens, Set<Quirk> quirks) {

  public Target {
    quirks = Set.copyOf(quirks);
  }

  public boolean has(Quirk quirk) {
    return quirks.contains(quirk);
  }
}
