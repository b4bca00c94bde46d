package dev.octroi.api.group;

import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The groups of a gateway, and which of them serves a path. Immutable, thread-safe. */
public final class Groups {

  private record Base(String path, Group group) {}

  private final List<Group> all;

  /** Asked several times in each call. */
  private final List<Base> bases;

  /**
   * @param all in the order in which they are listed
   * @throws IllegalArgumentException if two have one word, or a base within another
   */
  public Groups(List<Group> all) {
    this.all = List.copyOf(all);
    this.bases =
        all.stream()
            .flatMap(group -> group.profile().bases().stream().map(base -> new Base(base, group)))
            .toList();
    Set<String> words = new HashSet<>();
    for (Group group : all) {
      if (!words.add(group.word())) {
        throw new IllegalArgumentException("there are two groups " + group.word());
      }
    }
    for (Base base : bases) {
      for (Base other : bases) {
        if (!base.equals(other) && isAtOrBelow(base.path(), other.path())) {
          throw new IllegalArgumentException(other.path() + " lies within " + base.path());
        }
      }
    }
  }

  /** In the order in which they are listed. */
  public List<Group> all() {
    return all;
  }

  /** The words of all. */
  public List<String> words() {
    return all.stream().map(Group::word).toList();
  }

  /** The group of a word. */
  public Optional<Group> named(String word) {
    return all.stream().filter(group -> group.word().equals(word)).findFirst();
  }

  /** The group that a canonical path belongs to; empty for paths of the gateway itself. */
  public Optional<Group> of(String path) {
    for (Base base : bases) {
      if (isAtOrBelow(base.path(), path)) {
        return Optional.of(base.group());
      }
    }
    return Optional.empty();
  }

  /** Whether a path is a base, which has no slash at its end, or lies below it. */
  public static boolean isAtOrBelow(String base, String path) {
    return path.startsWith(base)
        && (path.length() == base.length() || path.charAt(base.length()) == '/');
  }
}
