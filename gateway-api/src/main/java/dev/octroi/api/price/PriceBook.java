package dev.octroi.api.price;

import dev.octroi.api.change.Changes;
import dev.octroi.api.change.Changes.Line;
import dev.octroi.api.change.SettingsChange;
import dev.octroi.api.group.ConfiguredGroups;
import dev.octroi.api.group.ConfiguredGroups.Selling;
import dev.octroi.api.group.Group;
import dev.octroi.api.group.LiveGroups.Edition;
import dev.octroi.api.group.SoldRow;
import dev.octroi.api.group.SoldRow.ListedBy;
import dev.octroi.api.settings.Given;
import dev.octroi.api.settings.Given.Origin;
import dev.octroi.api.settings.PriceSettings;
import dev.octroi.payments.PriceQuote;
import dev.octroi.payments.PricedRequest;
import dev.octroi.payments.Prices;
import dev.octroi.payments.Usd;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Decides what a call costs. The most specific rule wins: key and row, key and group, row, group,
 * the list. Thread-safe.
 */
public final class PriceBook implements Prices {

  private static final String LISTED = "list";
  private static final String COUNTED = "tokens";

  private final ConfiguredGroups groups;
  private final List<PriceVersion> ofFile;
  private volatile List<PriceVersion> versions;
  private final Map<PriceRule, Optional<Usd>> costs;
  private final List<String> problems;
  private final Duration grace;
  private final Clock clock;
  private volatile SoldRows latest;

  /** Reads the book; what is wrong with it is told by {@link #problems}. */
  public PriceBook(ConfiguredGroups groups, PriceSettings settings, Clock clock) {
    this.groups = groups;
    this.latest = new SoldRows(groups.selling());
    Optional<PriceFile.Read> file = settings.file().map(name -> PriceFile.read(name, latest));
    this.ofFile =
        file.map(PriceFile.Read::versions)
            .filter(read -> !read.isEmpty())
            .orElseGet(() -> List.of(PriceVersion.listed()));
    this.problems = new ArrayList<>(file.map(PriceFile.Read::problems).orElse(List.of()));
    this.costs = costs(settings, latest, problems);
    this.grace = settings.grace();
    this.clock = clock;
    this.versions = with(Changes.NONE, groups::liveAt).versions();
  }

  private static Map<PriceRule, Optional<Usd>> costs(
      PriceSettings settings, SoldRows rows, List<String> problems) {
    List<Given> lines = new ArrayList<>();
    settings
        .cost()
        .forEach(
            (rule, cost) ->
                lines.add(new Given(rule, cost.dollars(), "gateway.prices.cost", Origin.KEY)));
    Map<PriceRule, Optional<Usd>> costs = PriceFile.lines(lines, rows, problems);
    costs.keySet().stream()
        .filter(rule -> rule.key() != null)
        .forEach(rule -> problems.add("gateway.prices.cost " + rule + ": a cost has no API key"));
    return costs;
  }

  /**
   * What a call that an upstream is asked for costs the seller: by its row, its route or its group.
   *
   * @param path the canonical template, if it is a row's
   * @return empty where no cost is set
   */
  public Optional<Usd> cost(String group, String method, String path) {
    return costs
        .getOrDefault(new PriceRule(null, method + path, null), Optional.empty())
        .or(() -> costOfRoute(group))
        .or(() -> costs.getOrDefault(new PriceRule(null, null, group), Optional.empty()));
  }

  private Optional<Usd> costOfRoute(String group) {
    return sellingNow().all().stream()
        .filter(row -> row.group().word().equals(group))
        .flatMap(row -> row.described().stream())
        .flatMap(described -> described.cost().stream())
        .findFirst();
  }

  /**
   * Everything that is wrong with file and costs, one line each; a gateway does not start with any.
   */
  public List<String> problems() {
    return List.copyOf(problems);
  }

  /**
   * What prices there will be with these changes.
   *
   * @param live the groups that come and go, by moment
   */
  public PriceTimeline with(Changes changes, Function<Instant, Edition> live) {
    Instant remembered = Changes.remembered(clock.instant());
    Set<String> wrong = new LinkedHashSet<>();
    Set<Instant> moments = new TreeSet<>();
    moments.add(Instant.MIN);
    ofFile.forEach(version -> moments.add(version.from()));
    moments.addAll(changes.momentsAfter(remembered));
    List<PriceVersion> all = new ArrayList<>();
    for (Instant moment : moments) {
      Instant holding = moment.isAfter(remembered) ? moment : remembered;
      Map<String, Line> lines = changes.at(holding);
      lines.keySet().removeIf(Changes::isOfRoutes);
      all.add(changed(at(ofFile, moment).heldFrom(moment), lines, live.apply(holding), wrong));
    }
    return new PriceTimeline(all, wrong);
  }

  private PriceVersion changed(
      PriceVersion file, Map<String, Line> lines, Edition live, Set<String> wrong) {
    if (lines.isEmpty()) {
      return file.changed(Map.of(), Map.of(), live);
    }
    SoldRows rows = new SoldRows(groups.selling(live));
    Map<PriceRule, Optional<Usd>> prices = new HashMap<>();
    Map<PriceRule, SettingsChange> changes = new HashMap<>();
    lines.forEach(
        (key, line) ->
            PriceFile.lines(List.of(line.given(key, text -> text)), rows, wrong)
                .forEach(
                    (rule, price) -> {
                      prices.put(rule, price);
                      changes.put(rule, line.change());
                    }));
    return file.changed(prices, changes, live);
  }

  /** Everything that is sold at a moment and what it costs then without an API key, by its word. */
  public Map<String, Optional<Usd>> prices(PriceTimeline timeline, Instant time) {
    PriceVersion version = at(timeline.versions(), time);
    Map<String, Optional<Usd>> prices = new LinkedHashMap<>();
    for (SoldRow row : groups.selling(version.live()).rows()) {
      List<PriceRule> rules =
          PriceRule.of(Optional.empty(), Optional.of(row.word()), Optional.of(row.group().word()));
      prices.put(row.word(), priced(version, rules, row));
    }
    return prices;
  }

  /** The prices of all times. */
  public PriceTimeline timeline() {
    return new PriceTimeline(versions, List.of());
  }

  /** Asks these prices from now on. */
  public void follow(PriceTimeline timeline) {
    versions = timeline.versions();
  }

  /** The rows of this moment. */
  private SoldRows sellingNow() {
    Selling now = groups.selling();
    SoldRows known = latest;
    if (!known.areOf(now)) {
      known = new SoldRows(now);
      latest = known;
    }
    return known;
  }

  @Override
  public PriceQuote quote(PricedRequest request, Usd list, Optional<String> key) {
    List<PriceVersion> known = versions;
    if (known.size() == 1 && known.get(0).prices().isEmpty()) {
      return PriceQuote.of(list);
    }
    String method = request.method();
    String path = request.path();
    return quote(
        known,
        rules(sellingNow(), method, path, key),
        version -> version.live().row(method, path).flatMap(SoldRow::list).orElse(list),
        list,
        clock.instant());
  }

  /** Everything that is sold. */
  public List<SoldRow> sold() {
    return sellingNow().all();
  }

  /** What a request for a canonical path buys; empty where nothing is sold. */
  public Optional<SoldRow> sold(String method, String path) {
    return sellingNow().of(method, path);
  }

  /** Everything that is sold, at the price without an API key at this moment. */
  public List<RowPrice> rows() {
    Instant now = clock.instant();
    return sellingNow().all().stream().map(row -> explained(row, Optional.empty(), now)).toList();
  }

  /** The same of what is told of: a group without its vendor is not. */
  public List<RowPrice> listed() {
    return rows().stream().filter(row -> groups.lists(row.row())).toList();
  }

  /**
   * Which rule makes the price of a call, now and next.
   *
   * @param path a canonical path, or its template with parameters in braces
   * @return empty if nothing is sold there
   */
  public Optional<RowPrice> explain(String method, String path, Optional<String> key) {
    SoldRows rows = sellingNow();
    return rows.named(method + path)
        .or(() -> rows.of(method, path))
        .map(row -> explained(row, key, clock.instant()));
  }

  private RowPrice explained(SoldRow row, Optional<String> key, Instant now) {
    List<PriceVersion> known = versions;
    List<PriceRule> rules =
        PriceRule.of(key, Optional.of(row.word()), Optional.of(row.group().word()));
    int current = current(known, now);
    RowPrice.Step holding = step(known.get(current), rules, row);
    return new RowPrice(
        row,
        holding,
        row.list()
            .map(list -> quote(known, rules, version -> listed(version, row), list, now))
            .filter(PriceQuote::formerBuys)
            .flatMap(PriceQuote::former),
        known.stream()
            .skip(current + 1L)
            .map(version -> step(version, rules, row))
            .filter(next -> !next.price().equals(holding.price()))
            .findFirst());
  }

  /** The listed price of a row while a version holds: that of a route changes with its settings. */
  private static Usd listed(PriceVersion version, SoldRow row) {
    return version
        .live()
        .row(row.method(), row.path())
        .flatMap(SoldRow::list)
        .or(row::list)
        .orElseThrow();
  }

  private static RowPrice.Step step(PriceVersion version, List<PriceRule> rules, SoldRow listed) {
    SoldRow row = version.live().row(listed.method(), listed.path()).orElse(listed);
    Optional<Usd> price = priced(version, rules, row);
    Optional<PriceRule> rule = version.decisive(rules);
    if (rule.isEmpty() && row.described().isPresent()) {
      ListedBy by = row.described().get().listed();
      return new RowPrice.Step(price, by.rule(), by.version(), by.since());
    }
    Optional<SettingsChange> change =
        rule.flatMap(one -> Optional.ofNullable(version.changes().get(one)));
    return new RowPrice.Step(
        price,
        rule.map(PriceRule::toString).orElse(row.list().isPresent() ? LISTED : COUNTED),
        change.map(SettingsChange::name).orElse(version.name()),
        change
            .map(SettingsChange::from)
            .or(() -> Optional.of(version.since()).filter(from -> !from.equals(Instant.MIN))));
  }

  private static Optional<Usd> priced(PriceVersion version, List<PriceRule> rules, SoldRow row) {
    return version.price(rules).or(row::list);
  }

  private List<PriceRule> rules(SoldRows rows, String method, String path, Optional<String> key) {
    return PriceRule.of(
        key, rows.of(method, path).map(SoldRow::word), groups.of(path).map(Group::word));
  }

  private PriceQuote quote(
      List<PriceVersion> known,
      List<PriceRule> rules,
      Function<PriceVersion, Usd> listed,
      Usd list,
      Instant now) {
    int current = current(known, now);
    Usd price = known.get(current).price(rules).orElse(list);
    for (int earlier = current - 1; earlier >= 0; earlier--) {
      PriceVersion version = known.get(earlier);
      Usd former = version.price(rules).orElseGet(() -> listed.apply(version));
      if (!former.equals(price) && !former.isZero()) {
        Instant end = known.get(earlier + 1).from().plus(grace);
        return new PriceQuote(price, Optional.of(former), now.isBefore(end));
      }
    }
    return PriceQuote.of(price);
  }

  private static PriceVersion at(List<PriceVersion> known, Instant time) {
    return known.get(current(known, time));
  }

  private static int current(List<PriceVersion> known, Instant now) {
    int current = known.size() - 1;
    while (known.get(current).from().isAfter(now)) {
      current--;
    }
    return current;
  }

  /**
   * For whom and for what a price of the book holds: exactly one of row and group is given.
   *
   * @param key the id of an API key; null for all callers
   * @param row the word of a row
   * @param group the word of a group
   */
  record PriceRule(@Nullable String key, @Nullable String row, @Nullable String group) {

    /** The rules that may decide a call, the most specific first. */
    static List<PriceRule> of(Optional<String> key, Optional<String> row, Optional<String> group) {
      return Stream.concat(
              key.stream().flatMap(id -> holding(id, row, group)), holding(null, row, group))
          .toList();
    }

    private static Stream<PriceRule> holding(
        @Nullable String key, Optional<String> row, Optional<String> group) {
      return Stream.concat(
          row.stream().map(word -> new PriceRule(key, word, null)),
          group.stream().map(one -> new PriceRule(key, null, one)));
    }

    /** As the file spells it. */
    @Override
    public String toString() {
      String what = group == null ? "row." + row : "group." + group;
      return key == null ? what : "key." + key + "." + what;
    }
  }

  /**
   * What something costs, and why.
   *
   * @param row what is sold
   * @param now what is asked at this moment
   * @param stillTaken the former price, while payments for it are still taken
   * @param next the next change of this price that is already written down
   */
  public record RowPrice(SoldRow row, Step now, Optional<Usd> stillTaken, Optional<Step> next) {

    /**
     * A price for a time.
     *
     * @param price empty where it is counted from the tokens of each call
     * @param rule the line that made it, or {@code list}, or {@code tokens}
     * @param version the version that holds then
     * @param from since when that version holds; empty for ever
     */
    public record Step(Optional<Usd> price, String rule, String version, Optional<Instant> from) {}
  }

  /** The prices of all times, as far as they are written down. Immutable. */
  public static final class PriceTimeline {

    private final List<PriceVersion> versions;
    private final List<String> problems;

    private PriceTimeline(List<PriceVersion> versions, Collection<String> problems) {
      this.versions = List.copyOf(versions);
      this.problems = List.copyOf(problems);
    }

    private List<PriceVersion> versions() {
      return versions;
    }

    /** What is wrong with lines of changes, which set no price then; one sentence each. */
    public List<String> problems() {
      return problems;
    }
  }

  /**
   * The prices that hold from a moment on, those of earlier versions that still hold among them.
   *
   * @param name what the file calls it
   * @param since from when on it holds, as the file says it
   * @param from from when on it holds with these changes
   * @param prices by rule; what no rule says has its list price
   * @param changes what set the prices that stand in place of the file's
   * @param live the groups that come and go, as they are then
   */
  record PriceVersion(
      String name,
      Instant since,
      Instant from,
      Map<PriceRule, Usd> prices,
      Map<PriceRule, SettingsChange> changes,
      Edition live) {

    /** The name of what the file says without a version: it held always. */
    static final String FIRST = "first";

    PriceVersion {
      prices = Map.copyOf(prices);
      changes = Map.copyOf(changes);
    }

    static PriceVersion listed() {
      return new PriceVersion(FIRST, Instant.MIN, Instant.MIN, Map.of(), Map.of(), Edition.EMPTY);
    }

    /** The same with these prices; a rule without a price is taken away. */
    PriceVersion with(Map<PriceRule, Optional<Usd>> others) {
      return changed(others, changes, live);
    }

    /** The same with these, by changes. */
    PriceVersion changed(
        Map<PriceRule, Optional<Usd>> others, Map<PriceRule, SettingsChange> by, Edition then) {
      Map<PriceRule, Usd> changed = new HashMap<>(prices);
      others.forEach(
          (rule, price) -> {
            if (price.isPresent()) {
              changed.put(rule, price.get());
            } else {
              changed.remove(rule);
            }
          });
      return new PriceVersion(name, since, from, changed, by, then);
    }

    PriceVersion named(String other, Instant when) {
      return new PriceVersion(other, when, when, prices, changes, live);
    }

    PriceVersion heldFrom(Instant moment) {
      return new PriceVersion(name, since, moment, prices, changes, live);
    }

    /** The first of these rules that this version has. */
    Optional<PriceRule> decisive(List<PriceRule> rules) {
      return rules.stream().filter(prices::containsKey).findFirst();
    }

    /** The price that this version sets, if it does. */
    Optional<Usd> price(List<PriceRule> rules) {
      return decisive(rules).map(prices::get);
    }
  }
}
