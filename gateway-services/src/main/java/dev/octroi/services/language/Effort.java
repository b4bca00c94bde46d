package dev.octroi.services.language;

import java.util.Locale;
import java.util.Optional;

/**
 * How much a model thinks, and the budget of tokens that stands for it where a protocol counts
 * tokens instead.
 */
public enum Effort {
  NONE(0),
  MINIMAL(1_024),
  LOW(2_048),
  MEDIUM(8_192),
  HIGH(24_576),
  XHIGH(32_768),
  MAX(65_536);

  private final int budgetTokens;

  Effort(int budgetTokens) {
    this.budgetTokens = budgetTokens;
  }

  public int budgetTokens() {
    return budgetTokens;
  }

  /** As the protocols spell it. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  public static Optional<Effort> of(String word) {
    for (Effort effort : values()) {
      if (effort.word().equals(word)) {
        return Optional.of(effort);
      }
    }
    return Optional.empty();
  }

  /**
   * The effort for a budget: the nearest that does not think less, {@link #HIGH} at most, since not
   * every model knows the words beyond.
   */
  public static Effort ofBudget(int tokens) {
    for (Effort effort : values()) {
      if (effort == HIGH || tokens <= effort.budgetTokens) {
        return effort;
      }
    }
    throw new AssertionError("unreachable: HIGH ends the search");
  }
}
