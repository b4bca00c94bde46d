package dev.octroi.api.path;

import dev.octroi.api.group.ConfiguredGroups;
import dev.octroi.api.group.Groups;
import jakarta.ws.rs.Path;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/**
 * Which paths the gateway serves itself, so that no route can have them: those of its resources,
 * and those of the groups that are sold; or what lies below one prefix, where that is set.
 * Immutable.
 */
public final class OwnPaths {

  private static final String HOME = "/";

  private final List<String> roots;
  private final ConfiguredGroups groups;
  private final PathAliases aliases;
  private final Optional<String> prefix;

  /**
   * @param resources the classes that belong to no group
   * @param prefix below which all of it lies
   */
  public OwnPaths(
      Collection<Class<?>> resources,
      ConfiguredGroups groups,
      PathAliases aliases,
      Optional<String> prefix) {
    this.roots = resources.stream().map(OwnPaths::root).distinct().toList();
    this.groups = groups;
    this.aliases = aliases;
    this.prefix = prefix;
  }

  private static String root(Class<?> resource) {
    String path = resource.getAnnotation(Path.class).value();
    return path.startsWith("/") ? path : "/" + path;
  }

  public Optional<String> prefix() {
    return prefix;
  }

  /** Whether a path below the application is the gateway's; its home is, unless a route has it. */
  public boolean holds(String path) {
    if (prefix.isPresent()) {
      return Groups.isAtOrBelow(prefix.get(), path);
    }
    String canonical = aliases.canonical(path);
    return roots.stream()
            .anyMatch(
                root -> root.equals(HOME) ? path.equals(root) : Groups.isAtOrBelow(root, path))
        || groups.groups().of(canonical).filter(group -> groups.serves(canonical)).isPresent();
  }
}
