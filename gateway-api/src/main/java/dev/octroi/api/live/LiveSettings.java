package dev.octroi.api.live;

import dev.octroi.api.change.ChangeParts;
import dev.octroi.api.change.ChangeStore;
import dev.octroi.api.change.Changes;
import dev.octroi.api.change.SettingsChange;
import dev.octroi.api.price.PriceBook;
import dev.octroi.api.price.PriceBook.PriceTimeline;
import dev.octroi.api.route.RouteTimeline;
import dev.octroi.api.route.RouteTimeline.Source;
import dev.octroi.api.route.Routes;
import dev.octroi.api.settings.Entries;
import dev.octroi.api.settings.GatewaySettings.ChangeSettings;
import dev.octroi.api.settings.InvalidSettings;
import dev.octroi.payments.Daemons;
import dev.octroi.payments.Usd;
import dev.octroi.payments.ledger.LedgerUnavailable;
import dev.octroi.payments.ledger.jdbc.Statements;
import dev.octroi.services.HostThreads;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Routes and prices as operators change them while gateways serve. Each node looks for changes
 * every {@link ChangeSettings#poll}; a change holds two of these after it was written at the
 * earliest, so that all nodes know it before, and change at the same moment. Thread-safe.
 */
public final class LiveSettings implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(LiveSettings.class);

  private static final Pattern ROUTE_LINE =
      Pattern.compile("gateway\\.routes\\.(?<word>[^.]*)(?:\\.(?<setting>.+))?");
  private static final Pattern PRICE_LINE = Pattern.compile("(row|group|key)\\..+");

  private static final int MOST_LINES = 200;
  private static final int LONGEST_KEY = 600;
  private static final int LONGEST_VALUE = 4_000;
  private static final int LONGEST_NOTE = 500;
  private static final Duration FARTHEST = Duration.ofDays(366);

  private final ChangeSettings settings;
  private final ChangeStore store;
  private final ChangeParts parts;
  private final Routes routes;
  private final PriceBook prices;
  private final BiFunction<RouteTimeline, Instant, List<String>> unsafe;
  private final Clock clock;
  private volatile Changes changes = Changes.NONE;
  private volatile List<String> problems = List.of();
  private Optional<Statements> writing = Optional.empty();
  private Optional<ScheduledExecutorService> polling = Optional.empty();

  /**
   * @param unsafe what the gateway itself forbids of the routes from a moment on, one sentence each
   */
  public LiveSettings(
      ChangeSettings settings,
      ChangeStore store,
      ChangeParts parts,
      Routes routes,
      PriceBook prices,
      BiFunction<RouteTimeline, Instant, List<String>> unsafe,
      Clock clock) {
    this.settings = settings;
    this.store = store;
    this.parts = parts;
    this.routes = routes;
    this.prices = prices;
    this.unsafe = unsafe;
    this.clock = clock;
  }

  /**
   * A change that an operator asks for.
   *
   * @param lines values by key; an empty one gives the key, and all below it, back to the file
   * @param from since when it is to hold; empty for as soon as all nodes know it
   * @param after the number of the latest change that the operator has seen; empty for any
   */
  public record Draft(
      Map<String, Optional<String>> lines,
      Optional<Instant> from,
      String note,
      Optional<Long> after) {}

  /** Another change was written since the operator looked. */
  public static final class Superseded extends RuntimeException {

    private static final long serialVersionUID = 1L;

    Superseded(long latest) {
      super("change " + latest + " was written meanwhile: look at it, and say after=" + latest);
    }
  }

  /** What a change would make of the settings. */
  private record Foreseen(
      SettingsChange change,
      Map<String, String> documents,
      RouteTimeline routes,
      PriceTimeline prices,
      List<String> problems) {}

  /**
   * What a change does to a price.
   *
   * @param row the word of what is sold
   * @param before empty if it is not sold before, or its price is counted by each call
   * @param after the same of then
   */
  public record Repriced(String row, Optional<Usd> before, Optional<Usd> after) {}

  /** Everything that was ever written. */
  public Changes changes() {
    return changes;
  }

  /** What is wrong with lines that hold or will hold, which are left out; one sentence each. */
  public List<String> problems() {
    return problems;
  }

  /** The routes of this moment, disabled ones among them. */
  public List<Source> routes() {
    return routes.timeline().sources(clock.instant());
  }

  /** Reads what is written; before the first call. */
  public void load() {
    read();
  }

  /** What the gateway itself forbids of what holds or will hold, one sentence each. */
  public List<String> forbidden() {
    return unsafe.apply(routes.timeline(), clock.instant());
  }

  /** Looks for changes from now on, and lets them be written. */
  public void start(Statements statements) {
    writing = Optional.of(statements);
    // No thread of the host's: a server interrupts those, which breaks the file of a database.
    ScheduledExecutorService timer = HostThreads.OF_THE_JVM.clock("octroi-changes");
    long pause = settings.poll().toMillis();
    var unused =
        timer.scheduleWithFixedDelay(
            Daemons.guarded("Following changes of settings", this::look),
            pause,
            pause,
            TimeUnit.MILLISECONDS);
    polling = Optional.of(timer);
  }

  private void look() {
    try {
      read();
    } catch (LedgerUnavailable e) {
      LOG.warn("changes of settings cannot be read now: {}", e.getMessage());
    }
  }

  private synchronized void read() {
    List<SettingsChange> news = store.after(changes.latest());
    if (news.isEmpty()) {
      return;
    }
    Changes next = changes;
    for (SettingsChange one : news) {
      next = next.and(one);
    }
    RouteTimeline served = routes.with(next, parts);
    PriceTimeline asked = prices.with(next, served::edition);
    Set<String> wrong = new LinkedHashSet<>(served.problems());
    wrong.addAll(asked.problems());
    wrong.forEach(problem -> LOG.error("a change of settings is left out: {}", problem));
    routes.follow(served);
    prices.follow(asked);
    problems = List.copyOf(wrong);
    changes = next;
    news.forEach(one -> LOG.info("{} by {} holds from {}", one.name(), one.by(), one.from()));
  }

  /**
   * Writes a change, durably.
   *
   * @param by who
   * @throws InvalidSettings with every problem; nothing is written then
   * @throws Superseded if another one was written meanwhile
   */
  public SettingsChange write(Draft draft, String by) {
    read();
    Foreseen foreseen = foreseen(draft, by);
    if (!foreseen.problems().isEmpty()) {
      throw new InvalidSettings(foreseen.problems());
    }
    if (!store.append(writing.orElseThrow(), foreseen.change(), foreseen.documents())) {
      read();
      throw new Superseded(changes.latest());
    }
    read();
    return foreseen.change();
  }

  /** Seals the secrets of older master keys under the newest one; how many changes had such. */
  public int reseal() {
    int resealed = 0;
    for (SettingsChange one : store.after(0)) {
      SettingsChange anew = parts.resealed(one);
      if (!anew.equals(one)) {
        store.reseal(writing.orElseThrow(), anew);
        resealed++;
      }
    }
    return resealed;
  }

  /**
   * What a change would do to prices without an API key.
   *
   * @throws InvalidSettings with every problem
   */
  public List<Repriced> preview(Draft draft) {
    read();
    Foreseen foreseen = foreseen(draft, "");
    if (!foreseen.problems().isEmpty()) {
      throw new InvalidSettings(foreseen.problems());
    }
    Instant from = foreseen.change().from();
    Map<String, Optional<Usd>> before = prices.prices(prices.timeline(), from);
    Map<String, Optional<Usd>> after = prices.prices(foreseen.prices(), from);
    Set<String> rows = new LinkedHashSet<>(before.keySet());
    rows.addAll(after.keySet());
    List<Repriced> repriced = new ArrayList<>();
    for (String row : rows) {
      Optional<Usd> was = before.getOrDefault(row, Optional.empty());
      Optional<Usd> is = after.getOrDefault(row, Optional.empty());
      if (!was.equals(is) || before.containsKey(row) != after.containsKey(row)) {
        repriced.add(new Repriced(row, was, is));
      }
    }
    return repriced;
  }

  private Foreseen foreseen(Draft draft, String by) {
    Changes known = changes;
    draft
        .after()
        .filter(seen -> seen != known.latest())
        .ifPresent(
            seen -> {
              throw new Superseded(known.latest());
            });
    requireForm(draft);
    Map<String, Optional<String>> sealed = new LinkedHashMap<>();
    draft
        .lines()
        .forEach((key, value) -> sealed.put(key, value.map(text -> parts.sealed(key, text))));
    SettingsChange early = dated(draft, by, known.latest() + 1, sealed);
    Map<String, String> documents = documents(early, known.and(early));
    // A document may have taken longer to come than the nodes have to learn of the change.
    SettingsChange change = dated(draft, by, early.number(), sealed);
    Changes next = known.and(change);
    Instant from = change.from();
    RouteTimeline served = routes.with(next, parts);
    PriceTimeline asked = prices.with(next, served::edition);
    Set<String> wrong = new LinkedHashSet<>(served.problems());
    wrong.addAll(asked.problems());
    wrong.addAll(unsafe.apply(served, from));
    problems.forEach(wrong::remove);
    return new Foreseen(change, documents, served, asked, List.copyOf(wrong));
  }

  /** The change, if it is written now. */
  private SettingsChange dated(
      Draft draft, String by, long number, Map<String, Optional<String>> lines) {
    Instant now = clock.instant().truncatedTo(ChronoUnit.MILLIS);
    return new SettingsChange(number, now, from(draft, now), by, draft.note(), lines);
  }

  /** The moment from which a change holds: all nodes must know it before. */
  private Instant from(Draft draft, Instant now) {
    Instant soon =
        now.plus(settings.poll().multipliedBy(2)).plusMillis(999).truncatedTo(ChronoUnit.SECONDS);
    Instant from = draft.from().map(time -> time.truncatedTo(ChronoUnit.SECONDS)).orElse(soon);
    if (from.isBefore(soon)) {
      throw new InvalidSettings(
          List.of(
              "from: a change holds from "
                  + soon
                  + " at the earliest, so that all nodes know it before"));
    }
    if (from.isAfter(now.plus(FARTHEST))) {
      throw new InvalidSettings(List.of("from: a change holds within a year"));
    }
    return from;
  }

  private void requireForm(Draft draft) {
    List<String> wrong = new ArrayList<>();
    if (draft.lines().isEmpty() || draft.lines().size() > MOST_LINES) {
      wrong.add("lines: a change has 1 to " + MOST_LINES + " lines");
    }
    if (draft.note().length() > LONGEST_NOTE) {
      wrong.add("note: it has at most " + LONGEST_NOTE + " characters");
    }
    draft
        .lines()
        .forEach(
            (key, value) -> {
              if (key.length() > LONGEST_KEY || value.orElse("").length() > LONGEST_VALUE) {
                wrong.add(
                    "a line has a key of at most "
                        + LONGEST_KEY
                        + " and a value of at most "
                        + LONGEST_VALUE
                        + " characters");
                return;
              }
              Matcher route = ROUTE_LINE.matcher(key);
              if (route.matches()) {
                routeLine(key, route, value, wrong);
              } else if (!PRICE_LINE.matcher(key).matches()) {
                wrong.add(
                    key
                        + ": a change has lines of routes (gateway.routes.<word>.…) and of the"
                        + " price book (row.…, group.…, key.…); all else is set in the file");
              }
            });
    if (!wrong.isEmpty()) {
      throw new InvalidSettings(wrong);
    }
  }

  private void routeLine(String key, Matcher route, Optional<String> value, List<String> wrong) {
    if (!Entries.isName(route.group("word"))) {
      wrong.add(key + ": a name is lower-case letters and digits");
    } else if (route.group("setting") == null && value.isPresent()) {
      wrong.add(key + ": it has no value; its settings have");
    } else if ("target".equals(route.group("setting"))) {
      value.filter(target -> !isAllowed(target)).ifPresent(target -> wrong.add(refused(key)));
    }
  }

  private static String refused(String key) {
    return key + ": gateway.changes.targets does not name that server; add it there on every node";
  }

  private boolean isAllowed(String target) {
    try {
      return settings.allows(URI.create(target));
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  /** Fetches what the change names, once for all nodes. */
  private Map<String, String> documents(SettingsChange change, Changes next) {
    Map<String, String> documents = new LinkedHashMap<>();
    change
        .lines()
        .forEach(
            (key, value) -> {
              Matcher route = ROUTE_LINE.matcher(key);
              boolean named =
                  value.filter(text -> !text.isBlank()).isPresent()
                      && route.matches()
                      && "openapi".equals(route.group("setting"));
              if (named) {
                String word = route.group("word");
                String text = routes.document(word, next.at(change.from()), parts);
                documents.put(word, text);
                parts.take(change.number(), word, text);
              }
            });
    return documents;
  }

  /** Looks no more. */
  @Override
  public void close() {
    polling.ifPresent(ScheduledExecutorService::shutdown);
  }
}
