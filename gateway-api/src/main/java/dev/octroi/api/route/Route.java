package dev.octroi.api.route;

import dev.octroi.api.group.Groups;
import dev.octroi.api.group.SoldRow;
import dev.octroi.api.group.Upstream;
import dev.octroi.api.settings.RouteSettings;
import dev.octroi.services.upstream.UpstreamSettings;
import dev.octroi.services.upstream.UpstreamSettings.BreakerSettings;
import java.net.URI;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * A route as its settings have it: where it lies, what of it is sold and what is free, and where
 * its requests are passed on to. Immutable.
 */
final class Route {

  /** Calls that the circuit breaker judges by, and how long it then waits. */
  private static final int WINDOW = 20;

  private static final Duration OPEN = Duration.ofSeconds(10);

  /** What may be asked for besides, where nothing is asked of the payer. */
  private static final String HEAD = "HEAD";

  private final String word;
  private final RouteSettings settings;
  private final RouteGroup group;
  private final String base;
  private final List<Entry> entries;

  /**
   * Something that a route answers.
   *
   * @param row what it is sold as; empty if it is free
   */
  record Entry(String method, PathPattern pattern, Optional<SoldRow> row) {}

  /**
   * @param base where it lies, without a slash at its end
   * @param entries what it answers; no two of them alike
   */
  Route(String word, RouteSettings settings, RouteGroup group, String base, List<Entry> entries) {
    this.word = word;
    this.settings = settings;
    this.group = group;
    this.base = base;
    this.entries =
        entries.stream()
            .sorted(
                Comparator.comparing(Entry::pattern, PathPattern::comparedTo)
                    .thenComparing(Entry::method))
            .toList();
  }

  String word() {
    return word;
  }

  RouteSettings settings() {
    return settings;
  }

  RouteGroup group() {
    return group;
  }

  /** Where it lies, without a slash at its end; empty at the root. */
  String base() {
    return base;
  }

  List<SoldRow> rows() {
    return entries.stream().flatMap(entry -> entry.row().stream()).toList();
  }

  /** What it answers, the most specific first. */
  List<Entry> entries() {
    return entries;
  }

  boolean holds(String path) {
    return Groups.isAtOrBelow(base, path);
  }

  /** What its requests are passed on by. */
  Upstream upstream() {
    String setting = "gateway.routes." + word;
    UpstreamSettings calls =
        UpstreamSettings.of("route-" + word, settings.target())
            .withDeadline(settings.deadline())
            .withMaxConnections(settings.connections())
            .withRetries(settings.retries())
            .with(new BreakerSettings(settings.breaker(), WINDOW, OPEN));
    return new Upstream(setting, setting + ".target", calls, true);
  }

  /** What becomes of a request. */
  sealed interface Match {

    /** It is sold. */
    record Sold(SoldRow row) implements Match {}

    /** It costs nothing. */
    record Free() implements Match {}

    /** Nothing is there. */
    record Unknown() implements Match {}

    /** Something is there by another spelling, which a server may read as the same. */
    record Misspelt() implements Match {}

    /**
     * Something is there by other methods.
     *
     * @param allowed in the order of the alphabet
     */
    record OtherMethod(SortedSet<String> allowed) implements Match {}
  }

  /**
   * What a request means.
   *
   * @param path below the application, encoded, nothing wrong with it
   */
  Match match(String method, String path) {
    List<String> segments = PathPattern.decodedSegments(path.substring(base.length()));
    SortedSet<String> others = new TreeSet<>();
    for (Entry entry : entries) {
      if (entry.pattern().matches(segments)) {
        boolean free = entry.row().isEmpty();
        if (entry.method().equals(method) || (free && method.equals(HEAD))) {
          return found(entry, segments);
        }
        others.add(entry.method());
        if (free) {
          others.add(HEAD);
        }
      }
    }
    return others.isEmpty() ? new Match.Unknown() : new Match.OtherMethod(others);
  }

  private static Match found(Entry entry, List<String> segments) {
    if (!entry.pattern().isSpelledSo(segments)) {
      return new Match.Misspelt();
    }
    return entry.row().<Match>map(Match.Sold::new).orElseGet(Match.Free::new);
  }

  /** The row of a path, or of a template of this route's. */
  Optional<SoldRow> row(String method, String path) {
    return match(method, path) instanceof Match.Sold sold
        ? Optional.of(sold.row())
        : Optional.empty();
  }

  /** What stands after the target's address for a request, byte for byte. */
  String forwarded(String path, String query) {
    return (path.equals("/") ? "" : path.substring(base.length())) + query;
  }

  /**
   * Where a redirect of the target leads a caller: into this route, where it leads to the target
   * itself.
   *
   * @param context the path of the application
   */
  String relocated(String location, String context) {
    URI target = settings.target();
    String root = target.getScheme() + "://" + target.getRawAuthority();
    boolean whole = location.startsWith(root);
    String path = whole ? location.substring(root.length()) : location;
    String below = target.getRawPath().replaceFirst("/$", "");
    String named = pathOf(path);
    boolean ours =
        (named.isEmpty() ? whole : named.startsWith("/") && !named.startsWith("//"))
            && Groups.isAtOrBelow(below, named);
    String told = ours ? context + base + path.substring(below.length()) : location;
    return ours && !told.startsWith("/") ? "/" + told : told;
  }

  private static String pathOf(String target) {
    int end = target.length();
    for (char mark : new char[] {'?', '#'}) {
      int at = target.indexOf(mark);
      end = at >= 0 ? Math.min(end, at) : end;
    }
    return target.substring(0, end);
  }
}
