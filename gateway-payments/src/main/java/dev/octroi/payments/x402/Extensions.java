package dev.octroi.payments.x402;

import java.util.Map;

/**
 * What a message announces in its member {@code extensions}, written once: challenges repeat it,
 * some of it a schema of a kilobyte. Immutable.
 */
public final class Extensions {

  /** Nothing. */
  public static final Extensions NONE = new Extensions("");

  /** The members without the braces around them, in ASCII. */
  private final String members;

  private Extensions(String members) {
    this.members = members;
  }

  /**
   * Writes extensions down.
   *
   * @param byName what Jackson can write, by the extensions' names
   */
  public static Extensions of(Map<String, ?> byName) {
    String object = Json.write(byName);
    return new Extensions(object.substring(1, object.length() - 1));
  }

  public boolean isEmpty() {
    return members.isEmpty();
  }

  /** These and others, of other names. */
  Extensions and(Extensions others) {
    if (isEmpty() || others.isEmpty()) {
      return isEmpty() ? others : this;
    }
    return new Extensions(members + ',' + others.members);
  }

  /** The member that follows others of an object; nothing if there are none. */
  String member() {
    return isEmpty() ? "" : ",\"extensions\":{" + members + '}';
  }
}
