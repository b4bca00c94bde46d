package dev.octroi.db;

/** A database holds a schema that this version cannot take over; it was left as it is. */
public final class UnsupportedSchema extends RuntimeException {

  /** What the operator is told, at the start and by a look at the database alike. */
  static final String MESSAGE =
      "The database holds the schema of a gateway from before the first release, which this version"
          + " cannot take over. Keep that gateway until its payments have ended and back the"
          + " database up; start this one with an empty database or another schema.";

  private static final long serialVersionUID = 1L;

  UnsupportedSchema() {
    super(MESSAGE);
  }
}
