package dev.octroi.api.group;

import dev.octroi.api.group.ConfiguredGroup.GroupLimits;
import dev.octroi.api.group.LiveGroups.Edition;
import dev.octroi.api.settings.GatewaySettings;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * All groups of a gateway as its settings have them: those that it is built with, and those that
 * come and go. Everything that reads what is sold reads it here. Thread-safe.
 */
public final class ConfiguredGroups {

  /** For all, in the setting of the groups that are sold. */
  private static final String ALL = "*";

  private final Groups groups;
  private final Map<Group, ConfiguredGroup> configured = new LinkedHashMap<>();
  private final LiveGroups live;
  private volatile @Nullable Selling latest;

  /**
   * @param live those that come and go
   */
  public ConfiguredGroups(Groups groups, GatewaySettings settings, Clock clock, LiveGroups live) {
    this.groups = groups;
    this.live = live;
    List<String> sold = settings.groups();
    groups
        .all()
        .forEach(
            group -> {
              ConfiguredGroup one = group.configured(settings, clock);
              boolean wanted =
                  !group.isChosen() || sold.contains(ALL) || sold.contains(group.word());
              configured.put(group, wanted ? one : new Unwanted(one));
            });
  }

  /**
   * What is sold for a time. Immutable, compared by identity: what is made of it can be kept for as
   * long as it is the latest.
   */
  public static final class Selling {

    private final Edition live;
    private final List<SoldRow> rows;

    private Selling(Edition live, List<SoldRow> rows) {
      this.live = live;
      this.rows = List.copyOf(rows);
    }

    /** The groups that come and go. */
    public Edition live() {
      return live;
    }

    /** Everything that could be sold, in the order in which it is listed; always the same list. */
    public List<SoldRow> rows() {
      return rows;
    }
  }

  /** What is sold at this moment; the same object as long as nothing changes. */
  public Selling selling() {
    Edition now = live.now();
    Selling known = latest;
    if (known == null || known.live() != now) {
      known = selling(now);
      latest = known;
    }
    return known;
  }

  /** What is sold while these come and go. */
  public Selling selling(Edition edition) {
    List<SoldRow> rows = new ArrayList<>(each(one -> one.rows().stream()));
    rows.addAll(edition.rows());
    return new Selling(edition, rows);
  }

  /** What came and went, and will: the groups of a moment. */
  public Edition liveAt(Instant time) {
    return live.at(time);
  }

  /** The groups that the gateway is built with. */
  public Groups groups() {
    return groups;
  }

  /** The group that a canonical path belongs to; empty for paths of the gateway itself. */
  public Optional<Group> of(String path) {
    return groups.of(path).or(() -> live.now().at(path));
  }

  /** Those that the gateway is built with, in the order in which they are listed. */
  public Map<Group, ConfiguredGroup> all() {
    return Collections.unmodifiableMap(configured);
  }

  /** The words of all groups at this moment. */
  public List<String> words() {
    return Stream.concat(groups.all().stream(), live.now().groups().keySet().stream())
        .map(Group::word)
        .toList();
  }

  /** Everything that could be sold, in the order in which it is listed. */
  public List<SoldRow> rows() {
    return selling().rows();
  }

  /** Whom the groups ask. */
  public List<Upstream> upstreams() {
    List<Upstream> all = new ArrayList<>(each(one -> one.upstreams().stream()));
    live.now().groups().values().forEach(one -> all.addAll(one.upstreams()));
    return all;
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
    problems.addAll(live.problems());
    boolean nothing =
        problems.isEmpty()
            && upstreams().isEmpty()
            && configured.values().stream().noneMatch(one -> one.missing().isEmpty());
    if (nothing) {
      boolean unwanted = configured.values().stream().allMatch(Unwanted.class::isInstance);
      problems.addAll(
          unwanted
              ? List.of("nothing is sold: gateway.groups names no group, and there is no route")
              : missing());
    }
    return problems;
  }

  /** The limits of each. */
  public List<GroupLimits> limits() {
    return each(one -> Stream.of(one.limits()));
  }

  /** Whether calls of a canonical path are served; paths of no group are no matter of groups. */
  public boolean serves(String path) {
    return groups
        .of(path)
        .map(group -> Objects.requireNonNull(configured.get(group)).serves(path))
        .orElse(true);
  }

  /** Whether a row is told of. */
  public boolean lists(SoldRow row) {
    ConfiguredGroup known = configured.get(row.group());
    ConfiguredGroup group = known == null ? live.now().groups().get(row.group()) : known;
    return group != null && group.lists(row);
  }

  /** The groups of which something is told of. */
  public List<Group> listed() {
    return Stream.concat(configured.entrySet().stream(), live.now().groups().entrySet().stream())
        .filter(entry -> entry.getValue().rows().stream().anyMatch(entry.getValue()::lists))
        .map(Map.Entry::getKey)
        .toList();
  }

  private <T> List<T> each(Function<ConfiguredGroup, Stream<T>> question) {
    return configured.values().stream().flatMap(question).toList();
  }

  /** A group that the operator does not sell, whatever vendors there are. */
  private record Unwanted(ConfiguredGroup group) implements ConfiguredGroup {

    @Override
    public List<SoldRow> rows() {
      return group.rows();
    }

    @Override
    public List<String> missing() {
      return List.of("gateway.groups does not name it");
    }

    @Override
    public GroupLimits limits() {
      return group.limits();
    }

    @Override
    public OpenGroup open(GroupContext context) {
      return group.open(context);
    }
  }
}
