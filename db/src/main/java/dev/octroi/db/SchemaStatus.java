package dev.octroi.db;

import java.util.List;

/**
 * How far a database is from the schema of this version.
 *
 * @param isUnsupported whether it is that of a gateway from before the first release
 * @param pending migrations that are still to be applied
 * @param failed migrations that were begun and failed
 * @param newer migrations that a newer version applied and this one does not know
 */
public record SchemaStatus(
    boolean isUnsupported, List<String> pending, List<String> failed, List<String> newer) {

  /** What the operator does about a schema that is not supported. */
  public static String unsupported() {
    return UnsupportedSchema.MESSAGE;
  }

  /** Whether this version may work on the database. */
  public boolean isCurrent() {
    return !isUnsupported && pending.isEmpty() && failed.isEmpty() && newer.isEmpty();
  }
}
