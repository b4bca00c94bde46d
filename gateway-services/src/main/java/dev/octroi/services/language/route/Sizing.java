package dev.octroi.services.language.route;

import dev.octroi.services.ErrorCode;
import dev.octroi.services.Failure;
import dev.octroi.services.language.catalogue.Ability;
import dev.octroi.services.language.catalogue.Modality;
import dev.octroi.services.language.catalogue.Model;
import dev.octroi.services.language.catalogue.Tokenizer;
import dev.octroi.services.language.price.TokenQuote;
import dev.octroi.services.language.tokens.TokenCount;
import dev.octroi.services.language.tokens.TokenCounter;
import java.util.EnumMap;
import java.util.Map;

/** One request held against models: whether it fits, and what it would cost. */
final class Sizing {

  private final TokenCounter counter;
  private final RequestTraits traits;
  private final Map<Tokenizer, TokenCount> counts = new EnumMap<>(Tokenizer.class);

  Sizing(TokenCounter counter, RequestTraits traits) {
    this.counter = counter;
    this.traits = traits;
  }

  /** Whether the model can do what the request needs, and write as much as it asks for. */
  boolean able(Model model) {
    return (!traits.tools() || model.abilities().contains(Ability.TOOLS))
        && (!traits.thinking() || model.abilities().contains(Ability.REASONING))
        && (!traits.pictures() || model.input().contains(Modality.IMAGE))
        && (!traits.documents() || model.input().contains(Modality.DOCUMENT))
        && traits.maxTokens() <= model.maxOutput();
  }

  boolean surelyFits(Model model) {
    return count(model).atMost() + traits.maxTokens() <= model.contextWindow();
  }

  boolean mayFit(Model model) {
    return count(model).atLeast() + traits.maxTokens() <= model.contextWindow();
  }

  /**
   * The model with its quote.
   *
   * @throws Failure 400 {@code context_length_exceeded} if the request surely exceeds its window,
   *     503 {@code price_unavailable} if it has no price
   */
  Candidate candidate(Model model) {
    TokenCount count = count(model);
    long window = model.contextWindow();
    if (!mayFit(model)) {
      throw new Failure(
          ErrorCode.CONTEXT_LENGTH_EXCEEDED,
          "The request needs at least "
              + (count.atLeast() + traits.maxTokens())
              + " tokens, and the context window of "
              + model.id()
              + " has "
              + window);
    }
    long room = window - count.atLeast();
    long asked = traits.maxTokens() == 0 ? model.maxOutput() : traits.maxTokens();
    int output = (int) Math.min(room, Math.min(asked, model.maxOutput()));
    long input = Math.min(count.atMost(), window);
    long written = (long) output * traits.answers();
    return new Candidate(model, TokenQuote.of(model, input, written), Math.max(1, output));
  }

  private TokenCount count(Model model) {
    return counts.computeIfAbsent(
        model.tokenizer(), tokenizer -> counter.count(tokenizer, traits.prompt()));
  }
}
