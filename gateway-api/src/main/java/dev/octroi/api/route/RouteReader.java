package dev.octroi.api.route;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.octroi.api.catalogue.Operation;
import dev.octroi.api.group.SoldRow;
import dev.octroi.api.group.SoldRow.Described;
import dev.octroi.api.group.SoldRow.ListedBy;
import dev.octroi.api.group.SoldRow.Place;
import dev.octroi.api.route.OpenApiImport.Imported;
import dev.octroi.api.route.Route.Entry;
import dev.octroi.api.settings.InvalidSettings;
import dev.octroi.api.settings.RouteSettings;
import dev.octroi.payments.Usd;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Makes a route of its settings and finds everything that is wrong with them. One instance reads
 * once.
 */
final class RouteReader {

  /** Those that can be sold; what tools and description say of each follows from it. */
  static final Set<String> METHODS =
      new LinkedHashSet<>(List.of("GET", "POST", "PUT", "PATCH", "DELETE"));

  private static final List<String> USUAL = List.of("GET", "POST");
  private static final Pattern BASE =
      Pattern.compile("(/[A-Za-z0-9_~-][A-Za-z0-9._~-]{0,63}){1,8}|/");
  private static final Pattern RULE =
      Pattern.compile("(?:(?<method>[A-Za-z]+) +)?(?<path>/\\S*)\\s*=\\s*(?<price>\\S+)");

  /** A thousand dollars: above any call, below what a forgotten point makes of a price. */
  private static final Usd DEAREST = Usd.parse("1000");

  private static final String TOO_DEAR = "a price is at most " + DEAREST.dollars();
  private static final String UNNAMED = "is for no operation that the openapi document names";

  private final String word;
  private final RouteSettings settings;
  private final Function<String, ListedBy> listedBy;
  private final Function<RouteSettings, byte[]> document;
  private final List<String> problems = new ArrayList<>();
  private final String base;
  private final RouteGroup group;

  /**
   * A price for what a pattern holds.
   *
   * @param method empty for all
   * @param text as it is written
   */
  private record Rule(Optional<String> method, PathPattern pattern, Usd price, String text) {

    boolean holds(Imported operation) {
      return method.map(operation.method()::equals).orElse(true)
          && pattern.holds(operation.pattern());
    }
  }

  /**
   * @param ownPrefix below which the gateway's own paths lie, or empty
   * @param listedBy which line says a setting, by its name
   * @param document gives what {@code openapi} names, or fails with an {@link InvalidSettings}
   */
  RouteReader(
      String word,
      RouteSettings settings,
      String ownPrefix,
      Function<String, ListedBy> listedBy,
      Function<RouteSettings, byte[]> document) {
    this.word = word;
    this.settings = settings;
    this.listedBy = listedBy;
    this.document = document;
    this.base = settings.path().equals("/") ? "" : settings.path();
    this.group = new RouteGroup(word, settings.path(), settings.description(), ownPrefix);
  }

  /**
   * The route.
   *
   * @throws InvalidSettings with every problem
   */
  Route read() {
    if (!BASE.matcher(settings.path()).matches()) {
      complain("path", "'" + settings.path() + "' is no plain path such as /weather");
    }
    settings
        .price()
        .filter(price -> price.compareTo(DEAREST) > 0)
        .ifPresent(dear -> complain("price", TOO_DEAR));
    settings.header().keySet().stream()
        .filter(name -> !HeaderRules.isSettable(name))
        .sorted()
        .forEach(
            name -> complain("header." + name, "the gateway sets itself what this header says"));
    List<Rule> rules = settings.rules().stream().flatMap(text -> rule(text).stream()).toList();
    List<PathPattern> free =
        settings.free().stream().flatMap(text -> pattern("free", text).stream()).toList();
    Map<List<Object>, Entry> entries = new LinkedHashMap<>();
    if (settings.openapi().isEmpty()) {
      plain(rules, free, entries);
    } else if (settings.enabled()) {
      imported(settings.openapi().get(), rules, free, entries);
    }
    if (settings.enabled()
        && problems.isEmpty()
        && entries.values().stream().allMatch(entry -> entry.row().isEmpty())) {
      complain("price", "it is required, or rules that price something");
    }
    if (!problems.isEmpty()) {
      throw new InvalidSettings(problems);
    }
    return new Route(word, settings, group, base, List.copyOf(entries.values()));
  }

  /** What is sold of a server that does not describe itself. */
  private void plain(List<Rule> rules, List<PathPattern> free, Map<List<Object>, Entry> entries) {
    List<String> methods = methods();
    for (PathPattern pattern : free) {
      for (String method : methods) {
        add(new Entry(method, pattern, Optional.empty()), "free", entries);
      }
    }
    for (Rule rule : rules) {
      for (String method : rule.method().map(List::of).orElse(methods)) {
        add(entry(method, rule.pattern(), rule.price(), "rules"), "rules", entries);
      }
    }
    settings
        .price()
        .ifPresent(
            price -> {
              for (String method : methods) {
                Entry rest = entry(method, PathPattern.all(), price, "price");
                entries.putIfAbsent(List.of(method, rest.pattern()), rest);
              }
            });
  }

  /** What is sold of a server that describes itself: what the description names. */
  private void imported(
      String openapi, List<Rule> rules, List<PathPattern> free, Map<List<Object>, Entry> entries) {
    List<Imported> operations;
    try {
      operations = OpenApiImport.of(OpenApiDocument.of(openapi, document.apply(settings)), terms());
    } catch (InvalidSettings e) {
      e.problems().forEach(problem -> complain("openapi", problem));
      return;
    }
    for (Imported operation : operations) {
      Optional<Rule> rule =
          rules.stream()
              .filter(one -> one.holds(operation))
              .min(
                  Comparator.comparing(Rule::pattern, PathPattern::comparedTo)
                      .thenComparing(one -> one.method().isEmpty()));
      Optional<PathPattern> nothing =
          free.stream()
              .filter(one -> one.holds(operation.pattern()))
              .min(PathPattern::comparedTo)
              .filter(one -> rule.isEmpty() || one.comparedTo(rule.get().pattern()) <= 0);
      entries.put(
          List.of(operation.method(), operation.pattern()),
          nothing.isPresent()
              ? new Entry(operation.method(), operation.pattern(), Optional.empty())
              : priced(operation, rule));
    }
    rules.stream()
        .filter(rule -> operations.stream().noneMatch(rule::holds))
        .forEach(rule -> complain("rules", "'" + rule.text() + "' " + UNNAMED));
    free.stream()
        .filter(one -> operations.stream().noneMatch(each -> one.holds(each.pattern())))
        .forEach(one -> complain("free", "'" + one + "' " + UNNAMED));
    if (operations.isEmpty()) {
      complain("openapi", openapi + ": it names no operation that can be sold");
    }
  }

  private Entry priced(Imported operation, Optional<Rule> rule) {
    ListedBy named = listedBy.apply("openapi");
    if (operation.price().isPresent()) {
      return entry(
          operation,
          operation.price().get(),
          new ListedBy(named.rule() + ", x-price", named.version(), named.since()));
    }
    if (rule.isPresent()) {
      return entry(operation, rule.get().price(), listedBy.apply("rules"));
    }
    if (settings.price().isEmpty()) {
      complain("price", "it is required: " + operation.where() + " has no x-price and no rule");
    }
    return entry(operation, settings.price().orElse(DEAREST), listedBy.apply("price"));
  }

  private Entry entry(Imported operation, Usd price, ListedBy listed) {
    Optional<SoldRow> row =
        price.isZero()
            ? Optional.empty()
            : Optional.of(
                row(
                    operation.method(),
                    operation.path(),
                    price,
                    new Described(
                        operation.name(),
                        operation.about(),
                        operation.arguments().input(),
                        operation.arguments().places(),
                        operation.arguments().example(),
                        operation.answers(),
                        listed,
                        settings.metered(),
                        settings.cost())));
    return new Entry(operation.method(), operation.pattern(), row);
  }

  private OpenApiImport.Terms terms() {
    HeaderRules headers = HeaderRules.of(settings.requestHeaders(), settings.header().keySet());
    List<String> methods = methods();
    return new OpenApiImport.Terms(
        settings.methods().isEmpty() ? METHODS : Set.copyOf(methods),
        name -> headers.toServer(name, "", Set.of(), true),
        Operation.LONGEST_NAME - word.length() - 1,
        about(),
        settings.target().getRawPath());
  }

  /**
   * A price that is none by mistake.
   *
   * @throws IllegalArgumentException if it is above any
   */
  static Usd affordable(Usd price) {
    if (price.compareTo(DEAREST) > 0) {
      throw new IllegalArgumentException(TOO_DEAR);
    }
    return price;
  }

  private Entry entry(String method, PathPattern pattern, Usd price, String setting) {
    return price.isZero()
        ? new Entry(method, pattern, Optional.empty())
        : sold(method, pattern, price, listedBy.apply(setting));
  }

  private void add(Entry entry, String setting, Map<List<Object>, Entry> entries) {
    if (entries.putIfAbsent(List.of(entry.method(), entry.pattern()), entry) != null) {
      complain(
          setting, entry.method() + " " + entry.pattern() + " stands there twice, or in free too");
    }
  }

  private List<String> methods() {
    List<String> methods =
        settings.methods().stream().map(method -> method.toUpperCase(Locale.ROOT)).toList();
    methods.stream()
        .filter(method -> !METHODS.contains(method))
        .forEach(method -> complain("methods", method + " is not one of " + METHODS));
    return methods.isEmpty() ? USUAL : methods.stream().distinct().toList();
  }

  private Optional<Rule> rule(String text) {
    Matcher form = RULE.matcher(text);
    if (!form.matches()) {
      complain("rules", "'" + text + "' is no rule such as POST /search=0.05");
      return Optional.empty();
    }
    Optional<String> method =
        Optional.ofNullable(form.group("method")).map(name -> name.toUpperCase(Locale.ROOT));
    if (method.filter(name -> !METHODS.contains(name)).isPresent()) {
      complain("rules", "'" + text + "': the method is not one of " + METHODS);
      return Optional.empty();
    }
    try {
      Usd price = affordable(Usd.parse(form.group("price")));
      return pattern("rules", form.group("path"))
          .map(pattern -> new Rule(method, pattern, price, text));
    } catch (IllegalArgumentException e) {
      complain("rules", "'" + text + "': " + e.getMessage());
      return Optional.empty();
    }
  }

  private Optional<PathPattern> pattern(String setting, String text) {
    try {
      return Optional.of(PathPattern.of(text));
    } catch (IllegalArgumentException e) {
      complain(setting, String.valueOf(e.getMessage()));
      return Optional.empty();
    }
  }

  private void complain(String setting, String what) {
    String key = "gateway.routes." + word + "." + setting;
    String rule = listedBy.apply(setting).rule();
    problems.add((rule.isEmpty() ? key : rule) + ": " + what);
  }

  private Entry sold(String method, PathPattern pattern, Usd price, ListedBy listed) {
    ObjectNode input = JsonNodeFactory.instance.objectNode().put("type", "object");
    ObjectNode properties = input.putObject("properties");
    for (String parameter : pattern.parameters()) {
      properties.putObject(parameter).put("type", "string").put("minLength", 1);
      input.withArray("/required").add(parameter);
    }
    Map<String, Place> places = new LinkedHashMap<>();
    if (pattern.hasRest()) {
      places.put(PathPattern.REST, Place.REST);
      properties
          .putObject(PathPattern.REST)
          .put("type", "string")
          .put(
              "description",
              "What follows "
                  + (base + pattern.template()).replaceFirst("/\\{path}$", "")
                  + "/ in the path: nothing, one segment or several with slashes between.");
    }
    input
        .put("additionalProperties", true)
        .put(
            "description",
            SoldRow.hasBody(method)
                ? "Further arguments are the members of the JSON body."
                : "Further arguments are the parameters of the query.");
    String below = pattern.word();
    Described described =
        new Described(
            method.toLowerCase(Locale.ROOT) + (below.isEmpty() ? "" : "_" + below),
            pattern.equals(PathPattern.all()) ? about() : about(method + " " + pattern),
            input,
            places,
            JsonNodeFactory.instance.objectNode(),
            JsonNodeFactory.instance.objectNode(),
            listed,
            settings.metered(),
            settings.cost());
    return new Entry(
        method, pattern, Optional.of(row(method, pattern.template(), price, described)));
  }

  private SoldRow row(String method, String below, Usd price, Described described) {
    return new SoldRow(
        method,
        base.isEmpty() && below.isEmpty() ? "/" : base + below,
        group,
        Optional.of(price),
        false,
        Optional.empty(),
        Optional.of(described));
  }

  /** The same of a part of it. */
  private String about(String part) {
    return about().replaceFirst("[.]$", "") + ": " + part + ".";
  }

  private String about() {
    String said = settings.description().strip();
    if (said.isEmpty()) {
      return group.title() + ".";
    }
    return said.endsWith(".") ? said : said + ".";
  }
}
