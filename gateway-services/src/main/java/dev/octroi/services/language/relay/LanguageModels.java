package dev.octroi.services.language.relay;

import dev.octroi.services.Deadline;
import dev.octroi.services.HostThreads;
import dev.octroi.services.language.Dialect;
import dev.octroi.services.language.InvalidPrompt;
import dev.octroi.services.language.Prompt;
import dev.octroi.services.language.catalogue.Model;
import dev.octroi.services.language.catalogue.ModelCatalogue;
import dev.octroi.services.language.route.Candidate;
import dev.octroi.services.language.route.PromptReading;
import dev.octroi.services.language.route.RequestTraits;
import dev.octroi.services.language.route.Router;
import dev.octroi.services.language.tokens.TokenCounter;
import dev.octroi.services.language.tokens.Vocabularies;
import dev.octroi.services.language.translation.Protocols;
import dev.octroi.services.upstream.UpstreamClient;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The language models that are sold, whatever protocol a caller speaks and whatever protocol their
 * upstreams speak. Thread-safe; owns no connection.
 */
public final class LanguageModels implements AutoCloseable {

  private final ModelCatalogue catalogue;
  private final Router router;
  private final Map<String, UpstreamClient> upstreams;
  private final LanguageSettings settings;
  private final TokenCounter counter = new TokenCounter();
  private final Vocabularies vocabularies;
  private final Pulse pulse;
  private final Clock clock;

  /**
   * The models of a catalogue.
   *
   * @param upstreams by the names that the catalogue uses; models without one are not served
   * @param threads for what runs beside the calls
   */
  public LanguageModels(
      ModelCatalogue catalogue,
      Map<String, UpstreamClient> upstreams,
      LanguageSettings settings,
      HostThreads threads,
      Clock clock) {
    this.catalogue = catalogue;
    this.router = new Router(catalogue, counter, settings.bareAuto());
    this.upstreams = Map.copyOf(upstreams);
    this.settings = settings;
    this.pulse = new Pulse(settings.pulse(), threads);
    this.vocabularies = new Vocabularies(counter, threads);
    this.clock = clock;
  }

  /**
   * Reads beside the calls what the first of them would else wait for; returns at once. Does
   * nothing where no model is served.
   */
  public void warmUp() {
    vocabularies.read(
        served().stream().map(Model::tokenizer).collect(Collectors.toUnmodifiableSet()));
  }

  /** The models that can be called here and now, in the order of the catalogue. */
  public List<Model> served() {
    return catalogue.live().stream().filter(this::isServed).toList();
  }

  /** The model of that name, if it can be called here and now. */
  public Optional<Model> served(String name) {
    return catalogue.find(name).filter(this::isServed);
  }

  private boolean isServed(Model model) {
    return upstreams.containsKey(model.source().upstream());
  }

  /**
   * Reads a prompt and prices it; does no I/O.
   *
   * @throws InvalidPrompt 400 for a prompt that cannot be served
   * @throws dev.octroi.services.Failure 400 for a model that is not there or a prompt that is too
   *     long, 503 for a model without a price
   */
  public ModelCall prepare(Dialect caller, byte[] body) {
    Prompt prompt = Protocols.of(caller).readPrompt(body);
    return new ModelCall(caller, body, prompt, router.plan(prompt.model(), traits(prompt)));
  }

  /** A caller who sets no limit is not quoted the longest answer that a model can give. */
  private RequestTraits traits(Prompt prompt) {
    RequestTraits traits = PromptReading.of(prompt);
    return traits.maxTokens() > 0 ? traits : traits.withMaxTokens(settings.defaultOutput());
  }

  /** Asks the candidates one after the other, until one answers or refuses for good. */
  public ModelAnswer answer(ModelCall call, Deadline deadline) {
    Attempt attempt = new Attempt(call, upstreams, settings, counter, pulse, clock);
    Attempt.Outcome last = null;
    for (Candidate candidate : call.plan().candidates()) {
      Attempt.Outcome outcome = attempt.ask(candidate, deadline);
      if (!outcome.another()) {
        return outcome.answer();
      }
      last = last == null ? outcome : last;
    }
    if (last == null) {
      throw new IllegalStateException("a call has a candidate");
    }
    return last.answer();
  }

  /** Ends the signs of life; streams that are open go on without. */
  @Override
  public void close() {
    vocabularies.close();
    pulse.close();
  }
}
