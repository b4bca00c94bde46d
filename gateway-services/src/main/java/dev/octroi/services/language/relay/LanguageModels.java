package dev.octroi.services.language.relay;

import dev.octroi.services.Deadline;
import dev.octroi.services.ErrorCode;
import dev.octroi.services.Failure;
import dev.octroi.services.HostThreads;
import dev.octroi.services.language.Dialect;
import dev.octroi.services.language.InvalidPrompt;
import dev.octroi.services.language.Problem;
import dev.octroi.services.language.Prompt;
import dev.octroi.services.language.Prompt.Untranslatable;
import dev.octroi.services.language.Prompt.Uses;
import dev.octroi.services.language.catalogue.Model;
import dev.octroi.services.language.catalogue.ModelCatalogue;
import dev.octroi.services.language.price.Surcharge;
import dev.octroi.services.language.relay.ModelStream.Pulse;
import dev.octroi.services.language.route.PromptReading;
import dev.octroi.services.language.route.Router;
import dev.octroi.services.language.route.Router.Candidate;
import dev.octroi.services.language.route.Router.RequestTraits;
import dev.octroi.services.language.route.Router.Route;
import dev.octroi.services.language.route.Router.RoutePlan;
import dev.octroi.services.language.tokens.TokenCounter;
import dev.octroi.services.language.tokens.TokenCounter.TokenCount;
import dev.octroi.services.language.tokens.Vocabularies;
import dev.octroi.services.language.translation.Translation;
import dev.octroi.services.language.translation.Translation.Protocols;
import dev.octroi.services.upstream.UpstreamClient;
import java.time.Clock;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The language models that are sold, whatever protocol a caller speaks and whatever protocol their
 * upstreams speak. Thread-safe; owns no connection.
 */
public final class LanguageModels implements AutoCloseable {

  /** By which callers of the messages protocol turn on unfinished features. */
  public static final String BETA_HEADER = "anthropic-beta";

  /** The feature whose uses are counted, in answers of the messages protocol. */
  private static final String WEB_SEARCH = "web_search";

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
    this.vocabularies = new Vocabularies(counter::prepare, threads);
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
   * Reads a prompt that comes without unfinished features, and prices it; does no I/O.
   *
   * @throws InvalidPrompt 400 for a prompt that cannot be served
   * @throws dev.octroi.services.Failure 400 for a model that is not there or a prompt that is too
   *     long, 503 for a model without a price
   */
  public ModelCall prepare(Dialect caller, byte[] body) {
    return prepare(caller, body, List.of());
  }

  /**
   * Reads a prompt and prices it; does no I/O.
   *
   * @param betas the unfinished features that the caller turns on by a header, as the caller wrote
   *     them; commas separate several
   * @throws InvalidPrompt 400 for a prompt that cannot be served
   * @throws dev.octroi.services.Failure 400 for a model that is not there or a prompt that is too
   *     long, 503 for a model without a price
   */
  public ModelCall prepare(Dialect caller, byte[] body, List<String> betas) {
    Prompt prompt = Protocols.of(caller).readPrompt(body);
    RequestTraits traits = traits(caller, prompt);
    List<String> known = known(betas);
    boolean searches = prompt.model().equals(Route.SEARCH.id());
    RoutePlan plan =
        router.plan(
            prompt.model(),
            traits,
            model -> isServed(model) && (searches || takes(model, caller, prompt, traits)));
    if (!searches) {
      requireServed(plan.first().model());
      requireReadable(plan.first().model(), caller, traits);
      check(plan.first().model(), caller, prompt, plan.first().maxOutput());
    }
    return new ModelCall(caller, body, prompt, plan, known);
  }

  /** What is not known may change what a vendor bills. */
  private List<String> known(List<String> betas) {
    List<String> known =
        betas.stream()
            .flatMap(value -> Stream.of(value.split(",")))
            .map(String::strip)
            .filter(word -> !word.isEmpty())
            .distinct()
            .toList();
    for (String word : known) {
      if (!settings.betas().contains(word)) {
        throw new InvalidPrompt(
            BETA_HEADER,
            BETA_HEADER + " names " + ModelCatalogue.echo(word) + ", which is not sold here");
      }
    }
    return known;
  }

  private void requireServed(Model model) {
    if (!isServed(model)) {
      throw new Failure(
          ErrorCode.MODEL_NOT_FOUND,
          "The model '" + model.id() + "' is not served here; GET /v1/models lists those that are");
    }
  }

  private static void requireReadable(Model model, Dialect caller, RequestTraits traits) {
    if (!traits.areReadBy(model)) {
      String talk = caller == Dialect.RESPONSES ? "input" : "messages";
      throw new InvalidPrompt(
          talk, talk + " holds a picture or a document, which " + model.id() + " does not take");
    }
  }

  private static void check(Model model, Dialect caller, Prompt prompt, int maxOutput) {
    new Translation(caller, model.source().protocol())
        .check(prompt, model.source().target(maxOutput));
  }

  /** Whether a model can take the place of the one that was named, or be chosen by a route. */
  private static boolean takes(Model model, Dialect caller, Prompt prompt, RequestTraits traits) {
    try {
      check(model, caller, prompt, model.maxOutput());
      return traits.areReadBy(model);
    } catch (InvalidPrompt refused) {
      return false;
    }
  }

  /**
   * How many tokens a prompt has at most, as a call of it is quoted; does no I/O.
   *
   * @throws InvalidPrompt 400 for a prompt that cannot be read
   * @throws dev.octroi.services.Failure 400 for a model that is not there
   */
  public long count(Dialect caller, byte[] body) {
    Prompt prompt = Protocols.of(caller).readToCount(body);
    RequestTraits traits = PromptReading.of(prompt).withMaxTokens(1);
    Model model = router.chosen(prompt.model(), traits, this::isServed);
    requireServed(model);
    TokenCount count = counter.count(model.tokenizer(), traits.prompt());
    return Math.max(count.atLeast(), Math.min(count.atMost(), model.contextWindow()));
  }

  /** A caller who sets no limit is not quoted the longest answer that a model can give. */
  private RequestTraits traits(Dialect caller, Prompt prompt) {
    RequestTraits read = PromptReading.of(prompt);
    RequestTraits traits = read.with(read.caching(), surcharge(caller, prompt));
    return traits.maxTokens() > 0 ? traits : traits.withMaxTokens(settings.defaultOutput());
  }

  /**
   * What the vendor's features cost beside tokens that the prompt asks for: each as often as it
   * stands there, and as the model may use it. Features that share a limit cost what the dearest
   * would. A search writes its own prompt, which asks for none.
   */
  private Surcharge surcharge(Dialect caller, Prompt prompt) {
    if (prompt.model().equals(Route.SEARCH.id())) {
      return Surcharge.NONE;
    }
    long once = 0;
    long searches = 0;
    Map<String, Long> repeated = new HashMap<>();
    for (Untranslatable asked : prompt.untranslatable()) {
      String feature = asked.feature();
      if (feature != null) {
        Long price = settings.surcharges().get(feature);
        if (price == null) {
          throw new InvalidPrompt(
              asked.member(),
              asked.member() + " asks the vendor for " + feature + ", which is not sold here");
        }
        if (asked.uses() == null || price == 0) {
          once = Math.addExact(once, price);
        } else {
          int most = most(asked.uses(), feature);
          repeated.merge(asked.uses().member(), Math.multiplyExact(price, most), Math::max);
          searches += caller == Dialect.MESSAGES && feature.equals(WEB_SEARCH) ? most : 0;
        }
      }
    }
    long most = repeated.values().stream().reduce(once, Math::addExact);
    return new Surcharge(most, settings.surcharges().getOrDefault(WEB_SEARCH, 0L), searches);
  }

  /** A use that the quote does not hold would be billed and not paid. */
  private static int most(Uses uses, String feature) {
    Integer most = uses.most();
    if (most == null) {
      throw new InvalidPrompt(
          uses.member(), uses.member() + " is required: each use of " + feature + " is sold");
    }
    return most;
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

  /**
   * A prompt that has been read, with the models that may answer it and what it costs at most.
   *
   * @param dialect the caller's protocol
   * @param body the caller's bytes; do not modify
   * @param betas the unfinished features that are turned on at an upstream of the same protocol
   */
  public record ModelCall(
      Dialect dialect, byte[] body, Prompt prompt, RoutePlan plan, List<String> betas) {

    public ModelCall {
      betas = List.copyOf(betas);
    }

    /** What the call is quoted at, in millionths of a dollar; zero for a free model. */
    public long micros() {
      return plan.quote().micros();
    }

    /** Whether the web is searched before a model answers. */
    public boolean searches() {
      return prompt.model().equals(Route.SEARCH.id());
    }
  }

  /** What became of a call. */
  public sealed interface ModelAnswer {

    /**
     * The whole answer at once.
     *
     * @param body in the caller's protocol; do not modify
     * @param micros what it cost, in millionths of a dollar, at most the quote
     * @param changes what the model did not take as the caller wrote it, {@code name=value} or
     *     {@code name}
     */
    record Whole(String model, byte[] body, long micros, List<String> changes)
        implements ModelAnswer {
      public Whole {
        changes = List.copyOf(changes);
      }
    }

    /**
     * An answer that has begun and must be closed.
     *
     * @param changes as with {@link Whole}
     */
    record Streamed(ModelStream stream, List<String> changes) implements ModelAnswer {
      public Streamed {
        changes = List.copyOf(changes);
      }
    }

    /**
     * No model answered; nothing is charged.
     *
     * @param body in the caller's protocol
     */
    record Refused(Problem problem, byte[] body) implements ModelAnswer {}
  }

  /**
   * How models are asked.
   *
   * @param defaultOutput most tokens of an answer whose caller sets no limit; it is quoted and
   *     asked for, so that this caller does not pay for the longest answer that a model could give
   * @param firstByte how long an upstream may take to begin a streamed answer
   * @param idle how long it may then be silent
   * @param pulse how often a silent stream gets a sign of life
   * @param answerBytes longest answer that is no stream
   * @param bareAuto whether {@code auto} alone is a model's name
   * @param betas unfinished features of the messages protocol that a caller may turn on
   * @param surcharges millionths of a dollar for each use of a vendor's feature that costs more
   *     than tokens or leaves something with the vendor, by its name; others are refused
   */
  public record LanguageSettings(
      int defaultOutput,
      Duration firstByte,
      Duration idle,
      Duration pulse,
      int answerBytes,
      boolean bareAuto,
      Set<String> betas,
      Map<String, Long> surcharges) {

    public LanguageSettings {
      betas = Set.copyOf(betas);
      surcharges = Map.copyOf(surcharges);
    }

    /** 4,096 tokens; a minute and a minute; every 15 seconds; 8 MiB. */
    public static LanguageSettings standard() {
      return new LanguageSettings(
          4_096,
          Duration.ofMinutes(1),
          Duration.ofMinutes(1),
          Duration.ofSeconds(15),
          8 << 20,
          false,
          Set.of(),
          Map.of());
    }
  }
}
