package dev.octroi.api.route;

import dev.octroi.api.change.ChangeParts;
import dev.octroi.api.change.Changes;
import dev.octroi.api.change.Changes.Line;
import dev.octroi.api.group.GroupContext;
import dev.octroi.api.group.LiveGroups;
import dev.octroi.api.route.RouteTimeline.Source;
import dev.octroi.api.route.RouteTimeline.Step;
import dev.octroi.api.settings.DataSize;
import dev.octroi.api.settings.Entries;
import dev.octroi.api.settings.GatewaySettings;
import dev.octroi.api.settings.Given;
import dev.octroi.api.settings.InvalidSettings;
import dev.octroi.api.settings.RouteSettings;
import dev.octroi.api.settings.SettingsSources;
import dev.octroi.payments.effect.EffectRunner;
import dev.octroi.payments.effect.EffectVendor;
import dev.octroi.payments.flow.ResourceUrl;
import dev.octroi.payments.http.BoundedBody;
import dev.octroi.payments.ledger.Effects.Effect;
import dev.octroi.services.Deadline;
import dev.octroi.services.Failure;
import dev.octroi.services.HostThreads;
import dev.octroi.services.web.PageFetcher;
import dev.octroi.services.web.PageFetcher.FetchLimits;
import dev.octroi.services.web.PageFetcher.Fetched;
import dev.octroi.services.web.PageFetcher.Wanted;
import dev.octroi.services.web.WebAddress;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import org.jdbi.v3.core.Handle;

/**
 * The routes of a gateway, as they are at each moment: the file is the base, and changes stand
 * above it. Thread-safe.
 */
public final class Routes implements LiveGroups {

  private final Entries<RouteSettings> file;
  private final String ownPrefix;
  private final DataSize cache;
  private final Clock clock;

  /** What the file's documents say, read once. */
  private final Map<String, byte[]> documents = new ConcurrentHashMap<>();

  private volatile RouteTimeline timeline;
  private volatile boolean served;
  private Optional<Opened> opened = Optional.empty();
  private volatile Optional<RouteClients> clients = Optional.empty();

  /** What routes are served with. */
  private record Opened(GroupContext context, EffectRunner effects) {}

  /** Reads the routes of the file. */
  public Routes(GatewaySettings settings, Clock clock) {
    this.file = settings.routes();
    this.ownPrefix = settings.http().ownPrefix().orElse("");
    this.cache = settings.cache().size();
    this.clock = clock;
    Set<String> problems = new LinkedHashSet<>();
    Step base = new Reading(Optional.empty(), Map.of(), problems).step(Instant.MIN, Map.of());
    this.timeline = new RouteTimeline(List.of(base), problems);
  }

  /**
   * What there will be with these changes. Reads the documents of routes that are new.
   *
   * @param parts what the changes have besides
   */
  public RouteTimeline with(Changes changes, ChangeParts parts) {
    Instant remembered = Changes.remembered(clock.instant());
    Set<String> problems = new LinkedHashSet<>();
    Reading reading = new Reading(Optional.of(parts), timeline.routes(), problems);
    List<Step> steps = new ArrayList<>();
    steps.add(reading.step(Instant.MIN, changes.at(remembered)));
    for (Instant moment : changes.momentsAfter(remembered)) {
      Step next = reading.step(moment, changes.at(moment));
      if (!next.sources().equals(steps.get(steps.size() - 1).sources())) {
        steps.add(next);
      }
    }
    return new RouteTimeline(steps, problems);
  }

  /** Serves these from now on. */
  public void follow(RouteTimeline other) {
    timeline = other;
    clients.ifPresent(open -> open.keepOnly(other.routes().values()));
  }

  /**
   * Fetches the document that a change names.
   *
   * @throws InvalidSettings with what is to be changed, if it cannot be read
   */
  public String document(String word, Map<String, Line> lines, ChangeParts parts) {
    Source source = source(word, lines, Optional.of(parts));
    String named = source.settings().openapi().orElseThrow();
    if (!OpenApiSource.isAddress(named)) {
      throw new InvalidSettings(
          List.of(
              key(word, "openapi")
                  + ": a change names an address; a file is named by the file of settings alone"));
    }
    byte[] bytes = OpenApiSource.read(named, source.settings());
    OpenApiDocument.of(named, bytes);
    return new String(bytes, StandardCharsets.UTF_8);
  }

  private static String key(String word, String setting) {
    return RouteTimeline.PREFIX + word + "." + setting;
  }

  private Source source(String word, Map<String, Line> lines, Optional<ChangeParts> parts) {
    String prefix = key(word, "");
    Map<String, Line> changed = new TreeMap<>();
    lines.forEach(
        (key, line) -> {
          if (key.startsWith(prefix)) {
            changed.put(key, line);
          }
        });
    List<Given> ofFile = file.lines().getOrDefault(word, List.of());
    if (changed.isEmpty()) {
      return new Source(word, Objects.requireNonNull(file.values().get(word)), ofFile, changed);
    }
    List<Given> above = new ArrayList<>();
    changed.forEach(
        (key, line) -> above.add(line.given(key, text -> parts.orElseThrow().opened(key, text))));
    SettingsSources sources = SettingsSources.none().lines(above).lines(ofFile);
    return new Source(word, RouteSettings.read(word, sources), ofFile, changed);
  }

  /** Makes steps; for one thread. */
  private final class Reading {

    private final Optional<ChangeParts> parts;
    private final Map<Source, Route> known;
    private final Set<String> problems;

    Reading(Optional<ChangeParts> parts, Map<Source, Route> known, Set<String> problems) {
      this.parts = parts;
      this.known = new HashMap<>(known);
      this.problems = problems;
    }

    Step step(Instant from, Map<String, Line> lines) {
      List<Source> sources = new ArrayList<>();
      Map<Source, Route> routes = new LinkedHashMap<>();
      Map<String, String> paths = new HashMap<>();
      for (String word : words(lines)) {
        try {
          Source source = source(word, lines, parts);
          sources.add(source);
          Route route = known.computeIfAbsent(source, this::read);
          boolean sold = source.settings().enabled();
          String other = sold ? paths.putIfAbsent(route.base(), word) : null;
          if (other != null) {
            problems.add(key(word, "path") + " and " + key(other, "path") + " are the same");
          } else if (sold) {
            routes.put(source, route);
          }
        } catch (InvalidSettings e) {
          problems.addAll(e.problems());
        }
      }
      RouteTable table = new RouteTable(List.copyOf(routes.values()));
      return new Step(from, sources, routes, table, table.edition(() -> served));
    }

    private Set<String> words(Map<String, Line> lines) {
      Set<String> words = new TreeSet<>(file.words());
      for (String key : lines.keySet()) {
        if (Changes.isOfRoutes(key)) {
          String below = key.substring(RouteTimeline.PREFIX.length());
          words.add(below.substring(0, Math.max(0, below.indexOf('.'))));
        }
      }
      return words;
    }

    private Route read(Source source) {
      return new RouteReader(
              source.word(),
              source.settings(),
              ownPrefix,
              source::listed,
              settings -> document(source))
          .read();
    }

    private byte[] document(Source source) {
      Line line = source.changed().get(key(source.word(), "openapi"));
      if (line != null) {
        return parts
            .orElseThrow()
            .document(line.change().number(), source.word())
            .getBytes(StandardCharsets.UTF_8);
      }
      return documents.computeIfAbsent(
          source.settings().openapi().orElseThrow(),
          named -> OpenApiSource.read(named, source.settings()));
    }
  }

  /** Opens what is done beside the calls. Called once, with the groups. */
  public void open(GroupContext context) {
    opened = Optional.of(new Opened(context, context.effects(new RouteVendor())));
  }

  /** The connections to the servers of routes; not before they are open. */
  RouteClients clients(ResourceUrl urls, boolean ownCors) {
    Opened with = opened.orElseThrow();
    RouteClients made = new RouteClients(with.context(), with.effects(), urls, cache, ownCors);
    clients = Optional.of(made);
    return made;
  }

  /** What keeps a route from being sold; of the file alone it forbids the start. */
  @Override
  public List<String> problems() {
    return timeline.problems();
  }

  /** The routes of all times. */
  public RouteTimeline timeline() {
    return timeline;
  }

  @Override
  public Edition now() {
    return current().edition();
  }

  @Override
  public Edition at(Instant time) {
    return timeline.edition(time);
  }

  /** The routes of this moment. */
  RouteTable table() {
    return current().table();
  }

  private Step current() {
    RouteTimeline known = timeline;
    return known.at(known.isConstant() ? Instant.MAX : clock.instant());
  }

  /** Says that the host serves them: until then they are told of nowhere. */
  void serve() {
    served = true;
  }

  /**
   * Calls of routes that are paid for before the server is asked. A call's own request is known to
   * the call alone: what it did not live to answer gave the payer nothing, whatever the server did.
   */
  static final class RouteVendor implements EffectVendor {

    static final String KIND = "route";

    @Override
    public String kind() {
      return KIND;
    }

    @Override
    public Attempt attempt(Effect effect) {
      return ask(effect);
    }

    @Override
    public Attempt ask(Effect effect) {
      return new Attempt.NotDone("no answer of the server's came");
    }

    @Override
    public void record(Handle handle, Effect effect, Attempt.Done done) {}
  }

  /** Finds the document that a route's setting names: a file, or an address. */
  static final class OpenApiSource {

    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final int REDIRECTS = 3;

    private final String named;
    private final RouteSettings settings;

    private OpenApiSource(String named, RouteSettings settings) {
      this.named = named;
      this.settings = settings;
    }

    /**
     * Reads the document.
     *
     * @param named a file or an address
     * @param settings those of its route
     * @throws InvalidSettings with what is to be changed, if it cannot be read
     */
    static byte[] read(String named, RouteSettings settings) {
      return new OpenApiSource(named, settings).bytes();
    }

    /** Whether a document is named by an address. */
    static boolean isAddress(String named) {
      return named.toLowerCase(Locale.ROOT).matches("https?://.*");
    }

    private byte[] bytes() {
      if (!isAddress(named)) {
        return file();
      }
      URI address =
          WebAddress.of(named).orElseThrow(() -> unreadable("it is no plain address")).uri();
      return origin(address).equals(origin(settings.target())) ? ofTarget(address) : ofWeb(address);
    }

    private byte[] file() {
      try {
        Path file = Path.of(named);
        if (Files.isRegularFile(file)) {
          try (InputStream in = Files.newInputStream(file)) {
            return in.readNBytes(OpenApiDocument.LONGEST + 1);
          }
        }
        throw unreadable("there is no such file");
      } catch (IOException | InvalidPathException e) {
        throw unreadable("the file cannot be read; name one that the gateway may read");
      }
    }

    /** The server that calls are passed on to is asked like in a call, with the same headers. */
    private byte[] ofTarget(URI address) {
      HttpClient http =
          HttpClient.newBuilder()
              .version(HttpClient.Version.HTTP_1_1)
              .connectTimeout(PATIENCE)
              .proxy(HttpClient.Builder.NO_PROXY)
              .build();
      try {
        HttpRequest.Builder request = HttpRequest.newBuilder(address);
        settings.header().forEach((name, value) -> request.setHeader(name, value.value()));
        HttpResponse<byte[]> answer =
            BoundedBody.answer(http, request.build(), OpenApiDocument.LONGEST, PATIENCE);
        if (answer.statusCode() != 200) {
          throw unreadable("the target answers with " + answer.statusCode());
        }
        return answer.body();
      } catch (IOException | IllegalArgumentException e) {
        throw unreadable("the target does not answer, too slowly, or with more than 4 MiB");
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw unreadable("the gateway is stopping");
      }
    }

    /** All else is asked for like any page of the web: no address of the inside is. */
    private byte[] ofWeb(URI address) {
      FetchLimits limits = new FetchLimits(PATIENCE, OpenApiDocument.LONGEST, REDIRECTS, 1);
      int other = address.getScheme().equals("https") ? 80 : 443;
      Set<Integer> ports = new HashSet<>(List.of(port(address), other));
      try (PageFetcher web =
          new PageFetcher(limits, ports, Wanted.DOCUMENT, HostThreads.OF_THE_JVM)) {
        Fetched fetched = web.fetch(new WebAddress(address), Deadline.in(PATIENCE));
        if (fetched instanceof Fetched.Refused refused) {
          throw unreadable(
              refused.reason().text() + "; save it as a file, or let the target have it");
        }
        return ((Fetched.Page) fetched).body();
      } catch (Failure e) {
        throw unreadable("it cannot be fetched now");
      }
    }

    private static List<Object> origin(URI address) {
      return List.of(
          String.valueOf(address.getScheme()).toLowerCase(Locale.ROOT),
          String.valueOf(address.getHost()).toLowerCase(Locale.ROOT),
          port(address));
    }

    private static int port(URI address) {
      return Optional.of(address.getPort())
          .filter(port -> port != -1)
          .orElseGet(() -> "https".equalsIgnoreCase(address.getScheme()) ? 443 : 80);
    }

    private InvalidSettings unreadable(String why) {
      return new InvalidSettings(List.of(named + ": " + why));
    }
  }
}
