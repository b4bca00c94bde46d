package dev.octroi.services.language;

import dev.octroi.services.language.Prompt.Effort;
import java.util.EnumSet;
import java.util.Set;

/**
 * The upstream's model that a prompt is written for.
 *
 * @param model the upstream's own name for it
 * @param maxOutputTokens what is asked for when the caller sets no limit and the protocol wants one
 * @param efforts the words for an effort that it takes; empty for all that its protocol knows
 */
public record Target(String model, int maxOutputTokens, Set<Quirk> quirks, Set<Effort> efforts) {

  public Target {
    quirks = Set.copyOf(quirks);
    efforts = Set.copyOf(efforts);
  }

  /** One that takes every word for an effort that its protocol knows. */
  public Target(String model, int maxOutputTokens, Set<Quirk> quirks) {
    this(model, maxOutputTokens, quirks, Set.of());
  }

  public boolean has(Quirk quirk) {
    return quirks.contains(quirk);
  }

  /** The effort that the model knows and that thinks no less, or the most that it knows. */
  public Effort nearest(Effort asked, Dialect dialect) {
    EnumSet<Effort> known = EnumSet.copyOf(efforts.isEmpty() ? Effort.of(dialect) : efforts);
    Effort last = asked;
    for (Effort effort : known) {
      last = effort;
      if (effort.compareTo(asked) >= 0) {
        break;
      }
    }
    return last;
  }

  /**
   * Ways in which an upstream's use of a protocol differs from the protocol's own, or in which a
   * model differs from others of its upstream.
   */
  public enum Quirk {
    /** Thinks as much as it likes and refuses a budget (messages). */
    ADAPTIVE_THINKING,
    /** Thinks by a budget alone, and knows no word for an effort (messages). */
    BUDGETED_THINKING,
    /** Knows the limit of the output by its old name only (chat). */
    OLD_MAX_TOKENS,
    /** Knows no role but {@code system} for instructions (chat, responses). */
    NO_DEVELOPER_ROLE,
    /** Reads and writes thoughts in {@code reasoning_content} (chat). */
    REASONING_CONTENT,
    /** Does not think, and refuses to be told how. */
    NO_THOUGHTS,
    /** Thinks unless it is told not to. */
    THINKS_UNASKED,
    /** Takes no temperature and no nucleus. */
    NO_SAMPLING,
    /** Takes them only where it does not think. */
    SAMPLING_UNLESS_THINKING,
    /** Takes one of them, not both. */
    ONE_SAMPLING,
    /** Takes no penalties, not even of 0, and no biases (chat). */
    NO_PENALTIES,
    /** Takes no stop sequences (chat). */
    NO_STOP,
    /** Takes no verbosity. */
    NO_VERBOSITY,
    /** Does not continue an answer that the caller began (messages). */
    NO_PREFILL,
    /** Takes instructions in front of the talk only (messages). */
    NO_SYSTEM_TURNS,
    /** Refuses every member but the protocol's oldest (chat). */
    CORE_MEMBERS,
    /** Wants to be told which tool a result is of (chat). */
    NAMED_RESULTS,
    /** Turns thoughts on and off by {@code thinking}, and knows no word for an effort (chat). */
    THINKING_SWITCH,
    /** Decides itself whether it calls a tool (chat). */
    AUTO_TOOLS,
    /** Writes JSON, but not by a schema (chat). */
    NO_SCHEMA,
    /** Takes a temperature of 1 at most, as messages do. */
    LOW_TEMPERATURE
  }
}
