package dev.octroi.services.language.messages;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.octroi.services.language.LanguageJson;
import dev.octroi.services.language.Prompt.Effort;
import dev.octroi.services.language.Prompt.Reasoning;
import org.jspecify.annotations.Nullable;

/** How an upstream is told to think, once it is known what its model takes. */
final class ThinkingMember {

  private ThinkingMember() {}

  static @Nullable ObjectNode of(@Nullable Reasoning reasoning) {
    if (reasoning == null || reasoning.off() || !reasoning.thinks()) {
      return null;
    }
    ObjectNode thinking = LanguageJson.object();
    return reasoning.budgetTokens() == null
        ? thinking
            .put("type", "adaptive")
            .put("display", reasoning.summary() ? "summarized" : "omitted")
        : thinking.put("type", "enabled").put("budget_tokens", reasoning.budgetTokens());
  }

  /** The word beside it, for a model that thinks as much as it likes. */
  static @Nullable Effort effort(@Nullable Reasoning reasoning) {
    return reasoning == null || reasoning.off() ? null : reasoning.effort();
  }
}
