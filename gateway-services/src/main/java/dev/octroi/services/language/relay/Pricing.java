package dev.octroi.services.language.relay;

import dev.octroi.services.ErrorCode;
import dev.octroi.services.Failure;
import dev.octroi.services.language.InvalidPrompt;
import dev.octroi.services.language.Part;
import dev.octroi.services.language.Prompt;
import dev.octroi.services.language.catalogue.Ability;
import dev.octroi.services.language.catalogue.Modality;
import dev.octroi.services.language.catalogue.Model;
import dev.octroi.services.language.price.TokenQuote;
import dev.octroi.services.language.tokens.CountedPrompt;
import dev.octroi.services.language.tokens.TokenCount;
import dev.octroi.services.language.tokens.TokenCounter;
import java.util.List;
import java.util.stream.Stream;

/** Whether a model can take a prompt, and what that costs at most. For one prompt. */
final class Pricing {

  private final Prompt prompt;
  private final CountedPrompt size;
  private final TokenCounter counter;
  private final int defaultOutput;

  Pricing(Prompt prompt, TokenCounter counter, int defaultOutput) {
    this.prompt = prompt;
    this.size = PromptSize.of(prompt);
    this.counter = counter;
    this.defaultOutput = defaultOutput;
  }

  /**
   * The model's price of it.
   *
   * @throws InvalidPrompt 400 for what the model cannot do
   * @throws Failure 400 if the prompt exceeds its window, 503 if it has no price
   */
  Candidate candidate(Model model) {
    requireAble(model);
    TokenCount input = input(model);
    if (input.atLeast() > model.contextWindow()) {
      throw new Failure(
          ErrorCode.CONTEXT_LENGTH_EXCEEDED,
          "The prompt has more tokens than the "
              + model.contextWindow()
              + " that "
              + model.id()
              + " can read");
    }
    long output = (long) limit(model) * prompt.output().candidates();
    return new Candidate(model, TokenQuote.of(model, input.atMost(), output));
  }

  TokenCount input(Model model) {
    return counter.count(model.tokenizer(), size);
  }

  /** Most tokens of one answer. */
  int limit(Model model) {
    Integer asked = prompt.output().maxTokens();
    if (asked == null) {
      return Math.min(defaultOutput, model.maxOutput());
    }
    if (asked > model.maxOutput()) {
      throw new InvalidPrompt(
          "max_tokens", model.id() + " writes at most " + model.maxOutput() + " tokens");
    }
    return asked;
  }

  private void requireAble(Model model) {
    if (!prompt.tooling().tools().isEmpty() && !model.abilities().contains(Ability.TOOLS)) {
      throw new InvalidPrompt("tools", model.id() + " uses no tools");
    }
    if (holds(Part.Image.class) && !model.input().contains(Modality.IMAGE)) {
      throw new InvalidPrompt("messages", model.id() + " takes no images");
    }
    if (holds(Part.Document.class) && !model.input().contains(Modality.DOCUMENT)) {
      throw new InvalidPrompt("messages", model.id() + " takes no documents");
    }
  }

  private boolean holds(Class<? extends Part> kind) {
    return prompt.turns().stream()
        .flatMap(turn -> turn.parts().stream())
        .flatMap(part -> Stream.concat(Stream.of(part), within(part).stream()))
        .anyMatch(kind::isInstance);
  }

  private static List<Part> within(Part part) {
    return part instanceof Part.ToolResult result ? result.parts() : List.of();
  }
}
