package dev.octroi.sandbox.formula;

import org.jspecify.annotations.Nullable;

/**
 * A thing with named attributes, which may depend on the time. Further ones may be defined for its
 * type in the language.
 */
public interface Item {

  /** What {@link #get} gives for a name that the item does not have. */
  Object NONE = new Object();

  /** The type under which definitions give it further attributes. */
  String type();

  /**
   * An attribute at a time.
   *
   * @param time Unix seconds
   * @return {@link #NONE} where it has none of that name
   */
  @Nullable Object get(String name, long time);
}
