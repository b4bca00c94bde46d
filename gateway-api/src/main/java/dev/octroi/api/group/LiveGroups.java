package dev.octroi.api.group;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;

/** Groups that come, change and go while the gateway serves. Thread-safe. */
public interface LiveGroups {

  /** There are none, ever. */
  LiveGroups NONE =
      new LiveGroups() {
        @Override
        public Edition now() {
          return Edition.EMPTY;
        }

        @Override
        public Edition at(Instant time) {
          return Edition.EMPTY;
        }

        @Override
        public List<String> problems() {
          return List.of();
        }
      };

  /** Those of this moment; the same object as long as nothing changes. */
  Edition now();

  /** Those of a moment: of the past as long as its prices are honoured, or one that is to come. */
  Edition at(Instant time);

  /** What is wrong with their settings and forbids the start, one sentence each. */
  List<String> problems();

  /**
   * The groups of a time. Immutable, compared by identity: what is made of one can be kept for as
   * long as it is the latest.
   */
  final class Edition {

    public static final Edition EMPTY =
        new Edition(Map.of(), path -> Optional.empty(), (method, path) -> Optional.empty());

    private final Map<Group, ConfiguredGroup> groups;
    private final Function<String, Optional<Group>> at;
    private final BiFunction<String, String, Optional<SoldRow>> row;

    /**
     * @param groups in the order in which they are listed
     * @param at finds the group that a path below the application belongs to
     * @param row finds what a method at such a path buys
     */
    public Edition(
        Map<Group, ConfiguredGroup> groups,
        Function<String, Optional<Group>> at,
        BiFunction<String, String, Optional<SoldRow>> row) {
      this.groups = new LinkedHashMap<>(groups);
      this.at = at;
      this.row = row;
    }

    /** Each with its group. */
    Map<Group, ConfiguredGroup> groups() {
      return groups;
    }

    /** Whether a group is one of these. */
    public boolean sells(Group group) {
      return groups.containsKey(group);
    }

    Optional<Group> at(String path) {
      return at.apply(path);
    }

    /** What a method at a path buys. */
    public Optional<SoldRow> row(String method, String path) {
      return row.apply(method, path);
    }

    public List<SoldRow> rows() {
      return groups.values().stream().flatMap(one -> one.rows().stream()).toList();
    }
  }
}
