package dev.octroi.api.group;

import dev.octroi.api.group.ConfiguredGroup.GroupLimits;
import dev.octroi.api.settings.GatewaySettings;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Stream;

/** All groups of a gateway as its settings have them. Immutable, thread-safe. */
public final class ConfiguredGroups {

  private final Groups groups;
  private final Map<Group, ConfiguredGroup> configured = new LinkedHashMap<>();

  public ConfiguredGroups(Groups groups, GatewaySettings settings, Clock clock) {
    this.groups = groups;
    groups.all().forEach(group -> configured.put(group, group.configured(settings, clock)));
  }

  public Groups groups() {
    return groups;
  }

  /** Each with its group, in the order in which they are listed. */
  public Map<Group, ConfiguredGroup> all() {
    return Collections.unmodifiableMap(configured);
  }

  /** Everything that could be sold, in the order in which it is listed. */
  public List<SoldRow> rows() {
    return each(one -> one.rows().stream());
  }

  /** Whom the groups ask. */
  public List<Upstream> upstreams() {
    return each(one -> one.upstreams().stream());
  }

  /** The models that they sell, by upstream. */
  public List<SoldModels> models() {
    return each(one -> one.models().stream());
  }

  /** What has to be set for all to be sold, one sentence each. */
  public List<String> missing() {
    return each(one -> one.missing().stream()).stream().distinct().toList();
  }

  /** What forbids the start, one sentence each; empty if nothing does. */
  public List<String> problems() {
    List<String> problems = new ArrayList<>(each(one -> one.problems().stream()));
    boolean nothing =
        upstreams().isEmpty()
            && configured.values().stream().noneMatch(one -> one.missing().isEmpty());
    if (nothing) {
      problems.addAll(missing());
    }
    return problems;
  }

  /** The limits of each. */
  public List<GroupLimits> limits() {
    return each(one -> Stream.of(one.limits()));
  }

  /** Whether calls of a canonical path are served; paths of no group are no matter of groups. */
  public boolean serves(String path) {
    return groups.of(path).map(group -> of(group).serves(path)).orElse(true);
  }

  /** Whether a row is told of. */
  public boolean lists(SoldRow row) {
    return of(row.group()).lists(row);
  }

  /** The groups of which something is told of. */
  public List<Group> listed() {
    return groups.all().stream()
        .filter(group -> of(group).rows().stream().anyMatch(of(group)::lists))
        .toList();
  }

  private ConfiguredGroup of(Group group) {
    return Objects.requireNonNull(configured.get(group));
  }

  private <T> List<T> each(Function<ConfiguredGroup, Stream<T>> question) {
    return configured.values().stream().flatMap(question).toList();
  }
}
