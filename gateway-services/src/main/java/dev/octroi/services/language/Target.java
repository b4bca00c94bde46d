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

  /** Ways in which an upstream's use of a protocol differs from the protocol's own. */
  public enum Quirk {
    /** Thinks as much as it likes and refuses a budget (messages). */
    ADAPTIVE_THINKING,
    /** Knows the limit of the output by its old name only (chat). */
    OLD_MAX_TOKENS,
    /** Knows no role but {@code system} for instructions (chat, responses). */
    NO_DEVELOPER_ROLE,
    /** Reads and writes thoughts in {@code reasoning_content} (chat). */
    REASONING_CONTENT,
    /** Does not think, and refuses to be told how. */
    NO_THOUGHTS
  }
}
