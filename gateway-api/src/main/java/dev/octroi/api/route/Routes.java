package dev.octroi.api.route;

import dev.octroi.api.group.GroupContext;
import dev.octroi.api.group.LiveGroups;
import dev.octroi.api.group.SoldRow.ListedBy;
import dev.octroi.api.path.OwnPaths;
import dev.octroi.api.settings.DataSize;
import dev.octroi.api.settings.Entries;
import dev.octroi.api.settings.GatewaySettings;
import dev.octroi.api.settings.Given;
import dev.octroi.api.settings.InvalidSettings;
import dev.octroi.api.settings.RouteSettings;
import dev.octroi.payments.effect.EffectRunner;
import dev.octroi.payments.flow.ResourceUrl;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** The routes of a gateway, as they are at each moment. Thread-safe. */
public final class Routes implements LiveGroups {

  private static final String FILE = "first";

  private final List<String> problems = new ArrayList<>();
  private final DataSize cache;
  private final RouteTable table;
  private final Edition edition;
  private volatile boolean served;
  private Optional<Opened> opened = Optional.empty();

  /** What routes are served with. */
  private record Opened(GroupContext context, EffectRunner effects) {}

  public Routes(GatewaySettings settings) {
    this.cache = settings.cache().size();
    this.table = table(settings.routes(), settings.http().ownPrefix().orElse(""));
    this.edition = table.edition(() -> served);
  }

  private RouteTable table(Entries<RouteSettings> settings, String ownPrefix) {
    List<Route> routes = new ArrayList<>();
    Map<String, String> paths = new HashMap<>();
    for (String word : settings.words()) {
      RouteSettings one = Objects.requireNonNull(settings.values().get(word));
      List<Given> lines = Objects.requireNonNull(settings.lines().get(word));
      try {
        Route route =
            new RouteReader(word, one, ownPrefix, setting -> listed(word, setting, lines)).read();
        String other = paths.putIfAbsent(route.base(), word);
        if (other != null) {
          problems.add(
              "gateway.routes."
                  + word
                  + ".path and gateway.routes."
                  + other
                  + ".path are the same");
        }
        if (one.enabled()) {
          routes.add(route);
        }
      } catch (InvalidSettings e) {
        problems.addAll(e.problems());
      }
    }
    return new RouteTable(routes);
  }

  private static ListedBy listed(String word, String setting, List<Given> lines) {
    String key = "gateway.routes." + word + "." + setting;
    String place =
        lines.stream()
            .filter(line -> line.name().equals(key))
            .map(line -> " (" + line.place() + ")")
            .findFirst()
            .orElse("");
    return new ListedBy(key + place, FILE, Optional.empty());
  }

  /** Opens what is done beside the calls. Called once, with the groups. */
  public void open(GroupContext context) {
    opened = Optional.of(new Opened(context, context.effects(new RouteVendor())));
  }

  /** The connections to the servers of routes; not before they are open. */
  RouteClients clients(ResourceUrl urls, boolean ownCors) {
    Opened with = opened.orElseThrow();
    return new RouteClients(with.context(), with.effects(), urls, cache, ownCors);
  }

  /** Paths that the gateway needs itself, one sentence each. */
  public List<String> clashes(OwnPaths own) {
    return table.routes().stream()
        .filter(route -> !route.base().isEmpty() && own.holds(route.base()))
        .map(
            route ->
                "gateway.routes."
                    + route.word()
                    + ".path is "
                    + route.base()
                    + ", which the gateway serves itself; take another, or move the gateway's own"
                    + " paths by gateway.http.own-prefix")
        .toList();
  }

  /** What is wrong with the settings and forbids the start, one sentence each. */
  @Override
  public List<String> problems() {
    return List.copyOf(problems);
  }

  @Override
  public Edition now() {
    return edition;
  }

  /** The routes of this moment. */
  RouteTable table() {
    return table;
  }

  /** Says that the host serves them: until then they are told of nowhere. */
  void serve() {
    served = true;
  }
}
