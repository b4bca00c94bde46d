package dev.octroi.services.language.messages;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.octroi.services.language.LanguageJson;
import dev.octroi.services.language.Prompt;
import dev.octroi.services.language.Prompt.Effort;
import dev.octroi.services.language.Prompt.Part;
import dev.octroi.services.language.Prompt.Reasoning;
import dev.octroi.services.language.Prompt.Role;
import dev.octroi.services.language.Prompt.ToolChoice;
import dev.octroi.services.language.Prompt.Turn;
import dev.octroi.services.language.Target;
import dev.octroi.services.language.Target.Quirk;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How an upstream is told to think. It refuses thoughts beside a tool that it must use, in a talk
 * whose last use of a tool came without its sealed thoughts, and with a budget that leaves nothing
 * for the answer: there the model answers without thinking, rather than not at all.
 */
final class ThinkingMember {

  /** The least that the protocol takes. */
  private static final int LEAST = 1_024;

  private final Prompt prompt;
  private final Target target;
  private final int maxTokens;

  ThinkingMember(Prompt prompt, Target target, int maxTokens) {
    this.prompt = prompt;
    this.target = target;
    this.maxTokens = maxTokens;
  }

  @Nullable ObjectNode orNull() {
    Reasoning reasoning = prompt.reasoning();
    if (reasoning == null || reasoning.off() || target.has(Quirk.NO_THOUGHTS)) {
      return null;
    }
    if (forcedTool() || brokenLoop()) {
      return null;
    }
    ObjectNode thinking = LanguageJson.object();
    if (target.has(Quirk.ADAPTIVE_THINKING)) {
      return thinking
          .put("type", "adaptive")
          .put("display", reasoning.summary() ? "summarized" : "omitted");
    }
    int budget = budget(reasoning);
    return budget < LEAST ? null : thinking.put("type", "enabled").put("budget_tokens", budget);
  }

  /** The word for a model that thinks as much as it likes. */
  @Nullable String effortOrNull() {
    Reasoning reasoning = prompt.reasoning();
    Effort effort = reasoning == null ? null : reasoning.inWords();
    if (effort == null || effort == Effort.NONE || !target.has(Quirk.ADAPTIVE_THINKING)) {
      return null;
    }
    return effort == Effort.MINIMAL ? Effort.LOW.word() : effort.word();
  }

  /** A budget that the caller named is its own; one that stands for a word leaves room. */
  private int budget(Reasoning reasoning) {
    int most = reasoning.budgetTokens() == null ? maxTokens / 4 * 3 : maxTokens - 1;
    return Math.min(reasoning.inTokens(), most);
  }

  private boolean forcedTool() {
    ToolChoice choice = prompt.tooling().choice();
    return choice instanceof ToolChoice.Any || choice instanceof ToolChoice.Named;
  }

  private boolean brokenLoop() {
    List<Turn> turns = prompt.turns();
    for (int i = turns.size() - 1; i >= 0; i--) {
      Turn turn = turns.get(i);
      if (turn.role() == Role.ASSISTANT) {
        return turn.parts().stream().anyMatch(Part.ToolUse.class::isInstance)
            && turn.parts().stream().noneMatch(ThinkingMember::trusted);
      }
      if (turn.role() == Role.USER
          && turn.parts().stream().noneMatch(Part.ToolResult.class::isInstance)) {
        return false;
      }
    }
    return false;
  }

  private static boolean trusted(Part part) {
    return part instanceof Part.Thinking thinking
        && thinking.seal() != null
        && thinking.seal().ofMessages();
  }
}
