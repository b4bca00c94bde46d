package dev.octroi.services.language.translation;

import dev.octroi.services.language.Dialect;
import dev.octroi.services.language.InvalidPrompt;
import dev.octroi.services.language.Prompt;
import dev.octroi.services.language.Prompt.Effort;
import dev.octroi.services.language.Prompt.Format;
import dev.octroi.services.language.Prompt.Labels;
import dev.octroi.services.language.Prompt.Output;
import dev.octroi.services.language.Prompt.Part;
import dev.octroi.services.language.Prompt.Reasoning;
import dev.octroi.services.language.Prompt.Role;
import dev.octroi.services.language.Prompt.Sampling;
import dev.octroi.services.language.Prompt.Source;
import dev.octroi.services.language.Prompt.ToolChoice;
import dev.octroi.services.language.Prompt.Tooling;
import dev.octroi.services.language.Prompt.Turn;
import dev.octroi.services.language.Prompt.Untranslatable;
import dev.octroi.services.language.Target;
import dev.octroi.services.language.Target.Quirk;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A prompt as one model takes it. What the model refuses and the caller can do without is left out
 * or replaced, and said; what cannot be done without is refused by name before anything is asked or
 * paid; stop sequences that the model does not know are the gateway's to apply.
 *
 * @param prompt what the upstream is told
 * @param changes {@code name=value} for a member that was replaced, {@code name} for one that was
 *     left out, in the caller's words
 * @param stops the sequences at which the gateway ends the answer
 */
record Adaptation(Prompt prompt, List<String> changes, List<String> stops) {

  /** The vendor's own limit. */
  private static final int MOST_STOPS_OF_CHAT = 4;

  /** The vendor's own limit. */
  private static final int LEAST_OUTPUT_OF_RESPONSES = 16;

  Adaptation {
    changes = List.copyOf(changes);
    stops = List.copyOf(stops);
  }

  /**
   * The prompt for a model.
   *
   * @throws InvalidPrompt 400, naming what the model or its upstream's protocol cannot do
   */
  static Adaptation of(Prompt prompt, Target target, Dialect caller, Dialect upstream) {
    return new Fitting(prompt, target, caller, upstream).fit();
  }

  /** Makes one prompt fit. */
  private static final class Fitting {

    /** The least budget of thoughts that a vendor takes. */
    private static final int LEAST_BUDGET = 1_024;

    /** Beside thoughts the vendor takes a nucleus from here on. */
    private static final BigDecimal WIDE = new BigDecimal("0.95");

    private static final Set<String> PROBABILITIES = Set.of("logprobs", "top_logprobs");

    private final Prompt prompt;
    private final Target target;
    private final Dialect upstream;
    private final boolean passes;
    private final Names names;
    private final List<String> changes = new ArrayList<>();

    Fitting(Prompt prompt, Target target, Dialect caller, Dialect upstream) {
      this.prompt = prompt;
      this.target = target;
      this.upstream = upstream;
      this.passes = caller == upstream;
      this.names = Names.of(caller);
    }

    Adaptation fit() {
      if (!passes) {
        prompt.requireTranslatable();
      }
      talk();
      Tooling tooling = tooling();
      Reasoning reasoning = reasoning();
      boolean thinks = reasoning == null ? target.has(Quirk.THINKS_UNASKED) : reasoning.thinks();
      boolean free = !target.has(Quirk.NO_SAMPLING) && !(thinks && barsSampling());
      Sampling sampling = sampling(free, thinks);
      List<String> stops = stops(sampling);
      foreign(free, !stops.isEmpty());
      Prompt fitting =
          prompt
              .with(stops.isEmpty() ? sampling : withoutStops(sampling))
              .with(output())
              .with(tooling)
              .with(reasoning)
              .with(target.has(Quirk.CORE_MEMBERS) ? Labels.NONE : prompt.labels());
      return new Adaptation(fitting, changes, stops);
    }

    private void leftOut(String name) {
      changes.add(name);
    }

    private void replaced(String name, String value) {
      changes.add(name + "=" + value);
    }

    private InvalidPrompt refused(String member, String why) {
      return new InvalidPrompt(member, member + " " + why);
    }

    private void talk() {
      List<Turn> turns = prompt.turns();
      if (upstream == Dialect.CHAT && !passes) {
        turns.forEach(turn -> turn.parts().forEach(this::requireInline));
      }
      if (upstream == Dialect.MESSAGES) {
        if (target.has(Quirk.NO_PREFILL) && prefilled()) {
          throw refused(names.talk(), "must end with a turn of the user's for this model");
        }
        if (passes
            && target.has(Quirk.NO_SYSTEM_TURNS)
            && turns.stream().skip(1).anyMatch(turn -> turn.role() == Role.SYSTEM)) {
          throw refused(names.talk(), "cannot hold system turns for this model");
        }
      }
    }

    private void requireInline(Part part) {
      if (part instanceof Part.Document document && document.source() instanceof Source.Address) {
        throw new InvalidPrompt(
            names.talk(), "This model takes documents in the body only, not by address");
      }
      if (part instanceof Part.ToolResult result) {
        result.parts().forEach(this::requireInline);
      }
    }

    /** The caller began the answer. A turn that a vendor's tool paused is no beginning. */
    private boolean prefilled() {
      List<Turn> turns = prompt.turns();
      Turn last = turns.get(turns.size() - 1);
      int parts = last.parts().size();
      return last.role() == Role.ASSISTANT
          && prompt.tooling().natives().isEmpty()
          && parts > 0
          && last.parts().get(parts - 1) instanceof Part.Text;
    }

    private Tooling tooling() {
      Tooling tooling = prompt.tooling();
      boolean none = tooling.tools().isEmpty() && tooling.natives().isEmpty();
      if (none && forced()) {
        throw refused("tool_choice", "asks for a tool, and there are no tools");
      }
      if (tooling.choice() instanceof ToolChoice.Named named
          && tooling.natives().isEmpty()
          && tooling.tools().stream().noneMatch(tool -> tool.name().equals(named.name()))) {
        throw refused("tool_choice", "names no tool of this prompt");
      }
      if (target.has(Quirk.AUTO_TOOLS) && !tooling.tools().isEmpty()) {
        if (forced()) {
          throw refused("tool_choice", "cannot force a tool for this model");
        }
        if (tooling.choice() instanceof ToolChoice.None) {
          leftOut("tools");
          return new Tooling(List.of(), null, null, tooling.natives());
        }
      }
      if (tooling.parallel() != null && target.has(Quirk.CORE_MEMBERS)) {
        leftOut(names.parallel());
        return new Tooling(tooling.tools(), tooling.choice(), null, tooling.natives());
      }
      return tooling;
    }

    private boolean forced() {
      ToolChoice choice = prompt.tooling().choice();
      return choice instanceof ToolChoice.Any || choice instanceof ToolChoice.Named;
    }

    private @Nullable Reasoning reasoning() {
      Reasoning asked = prompt.reasoning();
      if (asked == null || target.has(Quirk.NO_THOUGHTS)) {
        if (asked != null && !asked.off()) {
          leftOut(names.thoughts());
        }
        return null;
      }
      return upstream == Dialect.MESSAGES ? ofMessages(asked) : inWords(asked);
    }

    /** Where thoughts are asked for by words alone. */
    private Reasoning inWords(Reasoning asked) {
      if (target.has(Quirk.THINKING_SWITCH)) {
        if (!asked.off() && asked.inWords() != null) {
          replaced(names.thoughts(), "enabled");
        }
        return new Reasoning(asked.off() ? Effort.NONE : null, null, asked.summary());
      }
      Effort word = asked.inWords();
      Effort known = word == null ? null : target.nearest(word, upstream);
      if (known == word && asked.budgetTokens() == null) {
        return asked;
      }
      if (known != word) {
        replaced(names.effort(), String.valueOf(known == null ? null : known.word()));
      }
      return new Reasoning(known, null, asked.summary());
    }

    private @Nullable Reasoning ofMessages(Reasoning asked) {
      if (asked.off()) {
        return asked;
      }
      if (!asked.thinks()) {
        return effortAlone(asked);
      }
      if (forced() || prefilled() || (!passes && brokenLoop())) {
        if (passes) {
          throw forced()
              ? refused("tool_choice", "cannot force a tool while the model thinks")
              : refused("thinking", "cannot begin with an answer that the caller began");
        }
        leftOut(names.thoughts());
        return null;
      }
      return target.has(Quirk.ADAPTIVE_THINKING) ? adaptive(asked) : budgeted(asked);
    }

    private @Nullable Reasoning effortAlone(Reasoning asked) {
      if (target.has(Quirk.BUDGETED_THINKING)) {
        leftOut(names.effort());
        return null;
      }
      return new Reasoning(known(asked.effort()), null, asked.summary(), false);
    }

    private @Nullable Effort known(@Nullable Effort asked) {
      if (asked == null) {
        return null;
      }
      Effort known = target.nearest(asked, upstream);
      if (known != asked) {
        replaced(names.effort(), known.word());
      }
      return known;
    }

    private Reasoning adaptive(Reasoning asked) {
      Effort effort = asked.effort();
      if (asked.budgetTokens() != null) {
        replaced(names.thoughts(), "adaptive");
        if (effort == null) {
          effort = target.nearest(Effort.ofBudget(asked.budgetTokens()), upstream);
          replaced(names.effort(), effort.word());
          return new Reasoning(effort, null, asked.summary());
        }
      }
      return new Reasoning(known(effort), null, asked.summary());
    }

    /** A budget that the caller named is its own; one that stands for a word leaves room. */
    private @Nullable Reasoning budgeted(Reasoning asked) {
      Integer named = asked.budgetTokens();
      if (named == null && passes && !target.has(Quirk.BUDGETED_THINKING)) {
        return new Reasoning(known(asked.effort()), null, asked.summary());
      }
      int limit = limit();
      if (named != null && passes) {
        Effort effort =
            target.has(Quirk.BUDGETED_THINKING) ? dropped(asked) : known(asked.effort());
        requireBudget(named, limit);
        return new Reasoning(effort, named, asked.summary(), true);
      }
      int most = named == null ? limit / 4 * 3 : limit - 1;
      int budget = Math.min(asked.inTokens(), most);
      if (budget < LEAST_BUDGET) {
        leftOut(names.thoughts());
        return null;
      }
      if (passes) {
        replaced(names.thoughts(), "enabled");
        dropped(asked);
      }
      return new Reasoning(null, budget, asked.summary(), true);
    }

    private @Nullable Effort dropped(Reasoning asked) {
      if (asked.effort() != null) {
        leftOut(names.effort());
      }
      return null;
    }

    /** With tools the vendor may count a budget over several answers. */
    private void requireBudget(int budget, int limit) {
      if (budget < LEAST_BUDGET) {
        throw refused("thinking.budget_tokens", "must be at least " + LEAST_BUDGET);
      }
      if (budget >= limit && prompt.tooling().tools().isEmpty()) {
        throw refused("thinking.budget_tokens", "must be less than max_tokens");
      }
    }

    /** What the quote covers. */
    private int limit() {
      Integer most = prompt.output().maxTokens();
      return most == null ? target.maxOutputTokens() : Math.min(most, target.maxOutputTokens());
    }

    /** The last use of a tool came without its sealed thoughts. */
    private boolean brokenLoop() {
      List<Turn> turns = prompt.turns();
      for (int i = turns.size() - 1; i >= 0; i--) {
        Turn turn = turns.get(i);
        if (turn.role() == Role.ASSISTANT) {
          return turn.parts().stream().anyMatch(Part.ToolUse.class::isInstance)
              && turn.parts().stream().noneMatch(Fitting::trusted);
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

    private boolean barsSampling() {
      return upstream == Dialect.MESSAGES || target.has(Quirk.SAMPLING_UNLESS_THINKING);
    }

    private Sampling sampling(boolean free, boolean thinks) {
      Sampling asked = prompt.sampling();
      penalties(asked);
      boolean plain = upstream != Dialect.CHAT || !takesPenalties();
      return new Sampling(
          temperature(asked, free),
          topP(asked, free, thinks),
          keep(asked.topK(), free && upstream == Dialect.MESSAGES, "top_k"),
          keep(asked.seed(), upstream == Dialect.CHAT && !target.has(Quirk.CORE_MEMBERS), "seed"),
          plain ? null : asked.frequencyPenalty(),
          plain ? null : asked.presencePenalty(),
          asked.stopSequences());
    }

    private <T> @Nullable T keep(@Nullable T value, boolean taken, String name) {
      if (value != null && !taken) {
        leftOut(name);
      }
      return taken ? value : null;
    }

    private @Nullable BigDecimal temperature(Sampling asked, boolean free) {
      BigDecimal given = keep(asked.temperature(), free, "temperature");
      boolean low = upstream == Dialect.MESSAGES || target.has(Quirk.LOW_TEMPERATURE);
      if (given != null && low && given.compareTo(BigDecimal.ONE) > 0) {
        replaced("temperature", "1");
        return BigDecimal.ONE;
      }
      return given;
    }

    private @Nullable BigDecimal topP(Sampling asked, boolean free, boolean thinks) {
      BigDecimal given = asked.topP();
      boolean wide =
          given != null
              && upstream == Dialect.MESSAGES
              && thinks
              && !target.has(Quirk.NO_SAMPLING)
              && given.compareTo(WIDE) >= 0;
      boolean alone = asked.temperature() == null || !target.has(Quirk.ONE_SAMPLING);
      return keep(given, (free && alone) || wide, "top_p");
    }

    private void penalties(Sampling asked) {
      if (asked.hasPenalty() && (upstream != Dialect.CHAT || !takesPenalties())) {
        BigDecimal frequency = asked.frequencyPenalty();
        boolean first = frequency != null && frequency.signum() != 0;
        throw refused(
            first ? "frequency_penalty" : "presence_penalty", "is not taken by this model");
      }
    }

    private boolean takesPenalties() {
      return !target.has(Quirk.NO_PENALTIES) && !target.has(Quirk.CORE_MEMBERS);
    }

    /** What the upstream is not told of, and the gateway does. */
    private List<String> stops(Sampling sampling) {
      List<String> asked = sampling.stopSequences();
      boolean taken =
          switch (upstream) {
            case MESSAGES -> true;
            case CHAT -> !target.has(Quirk.NO_STOP) && asked.size() <= MOST_STOPS_OF_CHAT;
            case RESPONSES -> false;
          };
      if (!taken && asked.stream().anyMatch(String::isEmpty)) {
        throw refused(names.stop(), "must not be empty");
      }
      return taken ? List.of() : asked;
    }

    private static Sampling withoutStops(Sampling sampling) {
      return new Sampling(
          sampling.temperature(),
          sampling.topP(),
          sampling.topK(),
          sampling.seed(),
          sampling.frequencyPenalty(),
          sampling.presencePenalty(),
          List.of());
    }

    /** What passes as the caller's protocol says it, where this model is known to refuse it. */
    private void foreign(boolean free, boolean stopsHere) {
      for (Untranslatable said : prompt.untranslatable()) {
        String member = said.member();
        boolean sold = said.feature() != null;
        boolean own = target.has(Quirk.THINKING_SWITCH) && member.equals("thinking");
        if ((target.has(Quirk.CORE_MEMBERS) && !sold && !own)
            || (!free && PROBABILITIES.contains(member))
            || (target.has(Quirk.NO_PENALTIES) && member.equals("logit_bias"))) {
          throw refused(member, "is not taken by this model");
        }
        if (stopsHere) {
          throw refused(names.stop(), "cannot be combined with " + member + " for this model");
        }
      }
    }

    private Output output() {
      Output output = prompt.output();
      boolean taken =
          upstream != Dialect.MESSAGES
              && !target.has(Quirk.NO_VERBOSITY)
              && !target.has(Quirk.CORE_MEMBERS);
      Integer most = prompt.output().maxTokens();
      if (upstream == Dialect.RESPONSES && most != null && most < LEAST_OUTPUT_OF_RESPONSES) {
        throw refused(
            names.limit(), "must be at least " + LEAST_OUTPUT_OF_RESPONSES + " for this model");
      }
      if (target.has(Quirk.NO_SCHEMA) && output.format() instanceof Format.JsonSchema) {
        throw refused(names.format(), "with a schema is not taken by this model");
      }
      String verbosity = keep(output.verbosity(), taken, names.verbosity());
      return new Output(limit(), output.format(), verbosity, output.candidates());
    }
  }

  /** What members are called in a protocol. */
  private record Names(
      String talk,
      String thoughts,
      String effort,
      String stop,
      String verbosity,
      String parallel,
      String limit,
      String format) {

    private static final String PARALLEL = "parallel_tool_calls";

    static Names of(Dialect caller) {
      return switch (caller) {
        case MESSAGES ->
            new Names(
                "messages",
                "thinking",
                "output_config.effort",
                "stop_sequences",
                "verbosity",
                "tool_choice.disable_parallel_tool_use",
                "max_tokens",
                "output_config.format");
        case CHAT ->
            new Names(
                "messages",
                "reasoning_effort",
                "reasoning_effort",
                "stop",
                "verbosity",
                PARALLEL,
                "max_completion_tokens",
                "response_format");
        case RESPONSES ->
            new Names(
                "input",
                "reasoning",
                "reasoning.effort",
                "stop",
                "text.verbosity",
                PARALLEL,
                "max_output_tokens",
                "text.format");
      };
    }
  }
}
