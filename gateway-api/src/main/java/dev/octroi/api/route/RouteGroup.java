package dev.octroi.api.route;

import dev.octroi.api.group.ConfiguredGroup;
import dev.octroi.api.group.Group;
import dev.octroi.api.group.GroupContext;
import dev.octroi.api.group.OpenGroup;
import dev.octroi.api.group.SoldRow;
import dev.octroi.api.group.Upstream;
import dev.octroi.api.settings.GatewaySettings;
import java.time.Clock;
import java.util.List;
import java.util.Locale;
import java.util.function.BooleanSupplier;

/**
 * A route as a group: limits, keys, figures and books know it by its name. Two of one name are
 * equal, so that what is counted of a route goes on when its settings change. Immutable.
 */
final class RouteGroup implements Group {

  private final Profile profile;
  private final String ownPrefix;

  /**
   * @param path where it lies
   * @param ownPrefix below which the gateway's own paths lie, beside the routes; or empty
   */
  RouteGroup(String word, String path, String about, String ownPrefix) {
    this.ownPrefix = ownPrefix;
    String title = word.substring(0, 1).toUpperCase(Locale.ROOT) + word.substring(1);
    this.profile = new Profile(word, title, about, ErrorShape.NESTED, List.of(path), List.of());
  }

  @Override
  public Profile profile() {
    return profile;
  }

  @Override
  public String address(String own) {
    return own.endsWith(ownPrefix) ? own.substring(0, own.length() - ownPrefix.length()) : own;
  }

  /** The server's own errors reach the caller. */
  @Override
  public boolean passesErrors() {
    return true;
  }

  /** None: it is served before any resource is reached. */
  @Override
  public List<Class<?>> resources() {
    return List.of();
  }

  @Override
  public ConfiguredGroup configured(GatewaySettings settings, Clock clock) {
    throw new IllegalStateException("a route is configured by its own settings");
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof RouteGroup route && route.word().equals(word());
  }

  @Override
  public int hashCode() {
    return word().hashCode();
  }

  @Override
  public String toString() {
    return "route " + word();
  }

  /**
   * What it sells.
   *
   * @param isServed whether this gateway's host serves routes
   */
  record Rows(List<SoldRow> rows, Upstream upstream, BooleanSupplier isServed)
      implements ConfiguredGroup {

    @Override
    public List<Upstream> upstreams() {
      return List.of(upstream);
    }

    @Override
    public boolean lists(SoldRow row) {
      return isServed.getAsBoolean();
    }

    @Override
    public OpenGroup open(GroupContext context) {
      throw new IllegalStateException("routes are opened by themselves");
    }
  }
}
