package dev.octroi.payments.ledger;

import dev.octroi.payments.Redelivery;

/** The codes of {@link Redelivery} in the database. */
final class Redeliveries {

  private static final int STORED = 1;
  private static final int REREAD = 2;
  private static final int RESUMED = 3;

  private Redeliveries() {}

  static int code(Redelivery redelivery) {
    return switch (redelivery) {
      case STORED -> STORED;
      case REREAD -> REREAD;
      case RESUMED -> RESUMED;
    };
  }

  static Redelivery of(int code) {
    return switch (code) {
      case REREAD -> Redelivery.REREAD;
      case RESUMED -> Redelivery.RESUMED;
      default -> Redelivery.STORED;
    };
  }
}
