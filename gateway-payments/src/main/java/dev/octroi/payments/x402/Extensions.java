package dev.octroi.payments.x402;

import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * What a message announces in its member {@code extensions}, written once: challenges repeat it,
 * some of it a schema of a kilobyte. Immutable.
 */
public final class Extensions {

  /** Nothing. */
  public static final Extensions NONE = new Extensions(Set.of(), "");

  private final Set<String> names;

  /** The members without the braces around them, in ASCII. */
  private final String members;

  private final String member;

  private Extensions(Set<String> names, String members) {
    this.names = names;
    this.members = members;
    this.member = members.isEmpty() ? "" : ",\"extensions\":{" + members + '}';
  }

  /**
   * Writes extensions down.
   *
   * @param byName what Jackson can write, by the extensions' names
   */
  public static Extensions of(Map<String, ?> byName) {
    String object = Json.write(byName);
    return new Extensions(Set.copyOf(byName.keySet()), object.substring(1, object.length() - 1));
  }

  /** An object of what Jackson can write, in ASCII. */
  public static byte[] object(Map<String, ?> members) {
    return Json.write(members).getBytes(StandardCharsets.US_ASCII);
  }

  public boolean isEmpty() {
    return members.isEmpty();
  }

  /** These and others; throws {@link IllegalArgumentException} if a name is there twice. */
  public Extensions and(Extensions others) {
    if (isEmpty() || others.isEmpty()) {
      return isEmpty() ? others : this;
    }
    if (!Collections.disjoint(names, others.names)) {
      throw new IllegalArgumentException(names + " and " + others.names + " share an extension");
    }
    Set<String> all = new HashSet<>(names);
    all.addAll(others.names);
    return new Extensions(all, members + ',' + others.members);
  }

  /** The member that follows others of an object; nothing if there are none. */
  String member() {
    return member;
  }
}
