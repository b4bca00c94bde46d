package dev.octroi.db;

import java.util.List;

/**
 * How far a database is from the schema of this version.
 *
 * @param pending migrations that are still to be applied
 * @param failed migrations that were begun and failed
 * @param newer migrations that a newer version applied and this one does not know
 */
public record SchemaStatus(List<String> pending, List<String> failed, List<String> newer) {

  /** Whether this version may work on the database. */
  public boolean isCurrent() {
    return pending.isEmpty() && failed.isEmpty() && newer.isEmpty();
  }
}
