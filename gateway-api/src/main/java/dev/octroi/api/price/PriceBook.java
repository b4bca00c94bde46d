package dev.octroi.api.price;

import dev.octroi.api.group.ConfiguredGroups;
import dev.octroi.api.group.ConfiguredGroups.Selling;
import dev.octroi.api.group.Group;
import dev.octroi.api.group.SoldRow;
import dev.octroi.api.group.SoldRow.ListedBy;
import dev.octroi.api.settings.PriceSettings;
import dev.octroi.payments.PriceQuote;
import dev.octroi.payments.PricedRequest;
import dev.octroi.payments.Prices;
import dev.octroi.payments.Usd;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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
  private final List<PriceVersion> versions;
  private final List<String> problems;
  private final Duration grace;
  private final Clock clock;
  private volatile SoldRows latest;

  /** Reads the book; what is wrong with it is told by {@link #problems}. */
  public PriceBook(ConfiguredGroups groups, PriceSettings settings, Clock clock) {
    this.groups = groups;
    this.latest = new SoldRows(groups.selling());
    Optional<PriceFile.Read> file =
        settings.file().map(name -> PriceFile.read(Path.of(name), latest));
    this.versions =
        file.map(PriceFile.Read::versions)
            .filter(read -> !read.isEmpty())
            .orElseGet(() -> List.of(PriceVersion.listed()));
    this.problems = file.map(PriceFile.Read::problems).orElse(List.of());
    this.grace = settings.grace();
    this.clock = clock;
  }

  /** Everything that is wrong with the file, one line each; a gateway does not start with any. */
  public List<String> problems() {
    return List.copyOf(problems);
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
    if (versions.size() == 1 && versions.get(0).prices().isEmpty()) {
      return PriceQuote.of(list);
    }
    return quote(rules(sellingNow(), request.method(), request.path(), key), list, clock.instant());
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
    List<PriceRule> rules =
        PriceRule.of(key, Optional.of(row.word()), Optional.of(row.group().word()));
    int current = current(now);
    return new RowPrice(
        row,
        step(versions.get(current), rules, row),
        row.list()
            .map(list -> quote(rules, list, now))
            .filter(PriceQuote::formerBuys)
            .flatMap(PriceQuote::former),
        versions.stream()
            .skip(current + 1L)
            .map(version -> step(version, rules, row))
            .filter(next -> !next.price().equals(priced(versions.get(current), rules, row)))
            .findFirst());
  }

  private static RowPrice.Step step(PriceVersion version, List<PriceRule> rules, SoldRow row) {
    Optional<Usd> price = priced(version, rules, row);
    Optional<String> rule = version.decisive(rules).map(PriceRule::toString);
    if (rule.isEmpty() && row.described().isPresent()) {
      ListedBy listed = row.described().get().listed();
      return new RowPrice.Step(price, listed.rule(), listed.version(), listed.since());
    }
    return new RowPrice.Step(
        price,
        rule.orElse(row.list().isPresent() ? LISTED : COUNTED),
        version.name(),
        Optional.of(version.from()).filter(from -> !from.equals(Instant.MIN)));
  }

  private static Optional<Usd> priced(PriceVersion version, List<PriceRule> rules, SoldRow row) {
    return version.price(rules).or(row::list);
  }

  private List<PriceRule> rules(SoldRows rows, String method, String path, Optional<String> key) {
    return PriceRule.of(
        key, rows.of(method, path).map(SoldRow::word), groups.of(path).map(Group::word));
  }

  private PriceQuote quote(List<PriceRule> rules, Usd list, Instant now) {
    int current = current(now);
    Usd price = versions.get(current).price(rules).orElse(list);
    for (int earlier = current - 1; earlier >= 0; earlier--) {
      Usd former = versions.get(earlier).price(rules).orElse(list);
      if (!former.equals(price) && !former.isZero()) {
        Instant end = versions.get(earlier + 1).from().plus(grace);
        return new PriceQuote(price, Optional.of(former), now.isBefore(end));
      }
    }
    return PriceQuote.of(price);
  }

  private int current(Instant now) {
    int current = versions.size() - 1;
    while (versions.get(current).from().isAfter(now)) {
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

  /**
   * The prices that hold from a moment on, those of earlier versions that still hold among them.
   *
   * @param name what the file calls it
   * @param prices by rule; what no rule says has its list price
   */
  record PriceVersion(String name, Instant from, Map<PriceRule, Usd> prices) {

    /** The name of what the file says without a version: it held always. */
    static final String FIRST = "first";

    PriceVersion {
      prices = Map.copyOf(prices);
    }

    static PriceVersion listed() {
      return new PriceVersion(FIRST, Instant.MIN, Map.of());
    }

    /** The same with these changes; a rule without a price is taken away. */
    PriceVersion with(Map<PriceRule, Optional<Usd>> changes) {
      Map<PriceRule, Usd> changed = new HashMap<>(prices);
      changes.forEach(
          (rule, price) -> {
            if (price.isPresent()) {
              changed.put(rule, price.get());
            } else {
              changed.remove(rule);
            }
          });
      return new PriceVersion(name, from, changed);
    }

    PriceVersion named(String other, Instant since) {
      return new PriceVersion(other, since, prices);
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
