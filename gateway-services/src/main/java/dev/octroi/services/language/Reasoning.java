package dev.octroi.services.language;

import org.jspecify.annotations.Nullable;

/**
 * How the model is to think before it answers.
 *
 * @param effort null where only a budget is given, or where the model decides
 * @param budgetTokens most tokens of thoughts; null where only an effort is given
 * @param summary whether the caller wants to read the thoughts or a summary of them
 */
public record Reasoning(@Nullable Effort effort, @Nullable Integer budgetTokens, boolean summary) {

  /** Whether the model is told not to think. */
  public boolean off() {
    return effort == Effort.NONE;
  }

  /** The effort in words; null where the model decides. */
  public @Nullable Effort inWords() {
    if (effort != null) {
      return effort;
    }
    return budgetTokens == null ? null : Effort.ofBudget(budgetTokens);
  }

  /** The effort in tokens, {@link Effort#MEDIUM} where the model decides. */
  public int inTokens() {
    if (budgetTokens != null) {
      return budgetTokens;
    }
    return effort == null ? Effort.MEDIUM.budgetTokens() : effort.budgetTokens();
  }
}
