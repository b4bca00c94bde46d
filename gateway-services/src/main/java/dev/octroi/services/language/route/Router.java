package dev.octroi.services.language.route;

import dev.octroi.services.ErrorCode;
import dev.octroi.services.Failure;
import dev.octroi.services.language.Dialect;
import dev.octroi.services.language.Target;
import dev.octroi.services.language.catalogue.Model;
import dev.octroi.services.language.catalogue.Model.Ability;
import dev.octroi.services.language.catalogue.Model.Caching;
import dev.octroi.services.language.catalogue.Model.Modality;
import dev.octroi.services.language.catalogue.Model.Tier;
import dev.octroi.services.language.catalogue.Model.Tokenizer;
import dev.octroi.services.language.catalogue.ModelCatalogue;
import dev.octroi.services.language.price.Surcharge;
import dev.octroi.services.language.price.TokenQuote;
import dev.octroi.services.language.tokens.TokenCounter;
import dev.octroi.services.language.tokens.TokenCounter.CountedPrompt;
import dev.octroi.services.language.tokens.TokenCounter.TokenCount;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Chooses the models that may run a request, by rules that are documented in {@code
 * docs/decisions/routing.md}. Thread-safe.
 */
public final class Router {

  private final ModelCatalogue catalogue;
  private final TokenCounter counter;
  private final boolean bareAllowed;

  /**
   * A router over one catalogue.
   *
   * @param bareAllowed whether {@code auto} alone is {@code auto/best}, rather than a 400
   */
  public Router(ModelCatalogue catalogue, TokenCounter counter, boolean bareAllowed) {
    this.catalogue = catalogue;
    this.counter = counter;
    this.bareAllowed = bareAllowed;
  }

  /** The route that a request names, if it leaves the choice to the gateway. */
  public Optional<Route> route(String name) {
    return bareAllowed && name.equals(Route.BARE) ? Optional.of(Route.BEST) : Route.named(name);
  }

  /**
   * The models that may run the request.
   *
   * @param name of a model or a route
   * @param takes whether a model that the request does not name is there and takes it
   * @throws Failure 400 for a name that is neither, a request that no model of the route can do, or
   *     one that exceeds the window; 503 for a model without a price
   */
  public RoutePlan plan(String name, RequestTraits traits, Predicate<Model> takes) {
    Sizing sizing = new Sizing(counter, traits);
    Optional<Route> route = route(name);
    if (route.isPresent()) {
      return routed(route.get(), traits, sizing, takes);
    }
    if (Route.claims(name)) {
      throw new Failure(ErrorCode.MODEL_NOT_FOUND, Route.unknown(name));
    }
    Model model = catalogue.named(name);
    Stream<Model> others = model.fallbacks().stream().flatMap(id -> catalogue.find(id).stream());
    return planned(model, others.filter(sizing::able).filter(sizing::mayFit).filter(takes), sizing);
  }

  /**
   * The model that would run the request, however long it is if a model is named.
   *
   * @throws Failure as {@link #plan} does, but for what exceeds a window
   */
  public Model chosen(String name, RequestTraits traits, Predicate<Model> takes) {
    return route(name).isPresent() || Route.claims(name)
        ? plan(name, traits, takes).first().model()
        : catalogue.named(name);
  }

  private RoutePlan routed(
      Route route, RequestTraits traits, Sizing sizing, Predicate<Model> takes) {
    List<Model> able =
        ordered(route, traits, sizing)
            .filter(sizing::able)
            .filter(takes)
            .filter(m -> m.price().isPresent())
            .toList();
    if (able.isEmpty()) {
      throw new Failure(
          ErrorCode.MODEL_NOT_FOUND, "No model of " + route.id() + " can do what the request asks");
    }
    List<Model> fitting = only(able, sizing::surelyFits);
    List<Model> models = fitting.isEmpty() ? only(able, sizing::mayFit) : fitting;
    Model first = models.isEmpty() ? able.get(0) : models.get(0);
    return planned(first, models.stream().skip(1), sizing);
  }

  private Stream<Model> ordered(Route route, RequestTraits traits, Sizing sizing) {
    return switch (route) {
      case BEST -> best(Demand.of(traits));
      case PREMIUM -> tiers(Tier.PREMIUM, Tier.STANDARD);
      case FREE -> catalogue.live().stream().filter(Model::free);
      case ECO -> byPrice(tiers(Tier.ECO), sizing);
      case SEARCH -> byPrice(tiers(Tier.SEARCH), sizing);
    };
  }

  private Stream<Model> best(Demand demand) {
    return switch (demand) {
      case SIMPLE -> tiers(Tier.ECO, Tier.STANDARD, Tier.PREMIUM);
      case ORDINARY -> tiers(Tier.STANDARD, Tier.PREMIUM, Tier.ECO);
      case HARD -> tiers(Tier.PREMIUM, Tier.STANDARD, Tier.ECO);
    };
  }

  /** The models of each tier, in the order of the catalogue. */
  private Stream<Model> tiers(Tier... order) {
    List<Model> live = catalogue.live();
    return Stream.of(order)
        .flatMap(tier -> live.stream().filter(model -> model.tiers().contains(tier)))
        .distinct();
  }

  private static Stream<Model> byPrice(Stream<Model> models, Sizing sizing) {
    return models
        .filter(model -> model.price().isPresent())
        .sorted(Comparator.comparingLong(model -> worst(model, sizing)));
  }

  /** What is too long for a model's window comes last. */
  private static long worst(Model model, Sizing sizing) {
    return sizing.mayFit(model) ? sizing.candidate(model).quote().micros() : Long.MAX_VALUE;
  }

  private static List<Model> only(List<Model> models, Predicate<Model> rule) {
    return models.stream().filter(rule).toList();
  }

  /** The chosen one, and of the others those that cost no more: the quote is of the first. */
  private static RoutePlan planned(Model first, Stream<Model> others, Sizing sizing) {
    List<Candidate> candidates = new ArrayList<>(List.of(sizing.candidate(first)));
    long most = candidates.get(0).quote().micros();
    others
        .filter(model -> model.price().isPresent() && !model.equals(first))
        .map(sizing::candidate)
        .filter(candidate -> candidate.quote().micros() <= most)
        .forEach(candidates::add);
    return new RoutePlan(candidates);
  }

  /** How hard a request is, by signs that can be seen before it runs. */
  enum Demand {
    SIMPLE,
    ORDINARY,
    HARD;

    /** Some 8,000 tokens. */
    private static final long LONG = 32_000;

    /** Some 64,000 tokens. */
    private static final long VERY_LONG = 256_000;

    private static final int ORDINARY_POINTS = 1;
    private static final int HARD_POINTS = 3;

    /**
     * One point each for a long text, tools, pictures or documents, and code; two for reasoning,
     * and for a very long text. None is simple, three are hard.
     */
    static Demand of(RequestTraits traits) {
      int points = 0;
      points += traits.length() > VERY_LONG ? 2 : traits.length() > LONG ? 1 : 0;
      points += traits.tools() ? 1 : 0;
      points += traits.pictures() || traits.documents() ? 1 : 0;
      points += traits.code() ? 1 : 0;
      points += traits.thinking() || traits.puzzle() ? 2 : 0;
      return points >= HARD_POINTS ? HARD : points >= ORDINARY_POINTS ? ORDINARY : SIMPLE;
    }
  }

  /** One request held against models: whether it fits, and what it would cost. */
  private static final class Sizing {

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
          && traits.areReadBy(model)
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
      TokenQuote quote = TokenQuote.of(model, input, written, caching(model), traits.surcharge());
      return new Candidate(model, quote, Math.max(1, output));
    }

    /** Only the messages protocol leaves it to the caller whether anything is cached. */
    private Caching caching(Model model) {
      boolean unasked =
          traits.caching() == Caching.NONE && model.source().protocol() != Dialect.MESSAGES;
      return unasked ? Caching.MINUTES : traits.caching();
    }

    private TokenCount count(Model model) {
      return counts.computeIfAbsent(
          model.tokenizer(), tokenizer -> counter.count(tokenizer, traits.prompt()));
    }
  }

  /**
   * A model that may run a request.
   *
   * @param model that runs
   * @param quote what the request costs with it at most
   * @param maxOutput what it is told to write at most
   */
  public record Candidate(Model model, TokenQuote quote, int maxOutput) {

    /** What a prompt is written for. */
    public Target target() {
      return model.source().target(maxOutput);
    }
  }

  /**
   * The models that may run a request, the chosen one first; none costs more than it.
   *
   * @param candidates at least one, in the order in which they are tried
   */
  public record RoutePlan(List<Candidate> candidates) {

    public RoutePlan {
      candidates = List.copyOf(candidates);
      if (candidates.isEmpty()) {
        throw new IllegalArgumentException("a plan has a model");
      }
    }

    public Candidate first() {
      return candidates.get(0);
    }

    /** What is asked for the request, whichever of its models will run. */
    public TokenQuote quote() {
      return first().quote();
    }
  }

  /** The names that leave the choice of a model to the gateway (specification, versioning, 3). */
  public enum Route {
    BEST("auto/best"),
    ECO("auto/eco"),
    PREMIUM("auto/premium"),
    FREE("auto/free"),
    SEARCH("auto/search");

    /** The prefix alone, a route only where a setting allows it. */
    static final String BARE = "auto";

    private final String id;

    Route(String id) {
      this.id = id;
    }

    /** As a request names it. */
    public String id() {
      return id;
    }

    /** Whether a name can only be a route's. */
    static boolean claims(String name) {
      return name.equals(BARE) || name.startsWith(BARE + "/");
    }

    /** What is said of a name that claims to be a route's and is none. */
    static String unknown(String name) {
      String routes = Stream.of(values()).map(Route::id).collect(Collectors.joining(", "));
      return name.equals(BARE)
          ? "'auto' alone is no model here; the routes are "
              + routes
              + ", and the setting gateway.language.bare-auto makes 'auto' one of them"
          : "There is no route of that name; the routes are " + routes;
    }

    /** The route of that name, if it is one. */
    public static Optional<Route> named(String model) {
      return Stream.of(values()).filter(route -> route.id.equals(model)).findFirst();
    }
  }

  /**
   * What a choice between models looks at.
   *
   * @param prompt all that the model will read
   * @param maxTokens what it may write at most; 0 where the request does not say
   * @param answers how many answers it asks for, each as long
   * @param caching what the request marks for the vendor's cache
   * @param surcharge what its features cost beside tokens
   * @param thinking whether the request asks for reasoning by its own member
   * @param code whether code is read or asked for
   * @param puzzle whether the words ask for reasoning
   */
  public record RequestTraits(
      CountedPrompt prompt,
      int maxTokens,
      int answers,
      Caching caching,
      Surcharge surcharge,
      boolean thinking,
      boolean code,
      boolean puzzle) {

    /** Signs of code: a fence, or a line that ends as only code does. */
    private static final Pattern CODE =
        Pattern.compile(
            "```|(?m)^[^\\n]{0,400}[;{][ \\t]{0,20}$|(?m)^[ \\t]{0,40}(?:def|class|func|fn) \\w");

    private static final Pattern PUZZLE =
        Pattern.compile(
            "(?i)\\b(?:step by step|prove that|prove|derive|theorem|reason about|trade-?offs?)\\b");

    /** The choice looks no further into a text: it may be wrong, and must be quick. */
    private static final int LOOKED_AT = 16 * 1024;

    /**
     * The traits of a request.
     *
     * @param task the last turn of the user's, which says what is to be done
     */
    public static RequestTraits of(
        CountedPrompt prompt, String task, int maxTokens, int answers, boolean thinking) {
      String looked = task.substring(0, Math.min(LOOKED_AT, task.length()));
      return new RequestTraits(
          prompt,
          maxTokens,
          answers,
          Caching.NONE,
          Surcharge.NONE,
          thinking,
          CODE.matcher(looked).find(),
          PUZZLE.matcher(looked).find());
    }

    /** The same with another limit of the answer. */
    public RequestTraits withMaxTokens(int most) {
      return new RequestTraits(prompt, most, answers, caching, surcharge, thinking, code, puzzle);
    }

    /** The same with what it costs beside its tokens at their ordinary rates. */
    public RequestTraits with(Caching marked, Surcharge features) {
      return new RequestTraits(
          prompt, maxTokens, answers, marked, features, thinking, code, puzzle);
    }

    /** Whether a model takes all that the prompt shows. */
    public boolean areReadBy(Model model) {
      return (!pictures() || model.input().contains(Modality.IMAGE))
          && (!documents() || model.input().contains(Modality.DOCUMENT));
    }

    boolean tools() {
      return prompt.tools() > 0;
    }

    boolean pictures() {
      return !prompt.pictures().isEmpty();
    }

    boolean documents() {
      return prompt.documents() > 0;
    }

    /** How long the texts are, in characters. */
    long length() {
      return prompt.texts().stream().mapToLong(String::length).sum();
    }
  }
}
