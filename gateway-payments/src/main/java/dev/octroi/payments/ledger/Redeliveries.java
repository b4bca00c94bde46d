package dev.octroi.payments.ledger;

import dev.octroi.payments.Redelivery;

/** The codes of {@link Redelivery} in the database. */
final class Redeliveries {

  private static final int STORED = 1;
  private static final int REREAD = 2;

  private Redeliveries() {}

  static int code(Redelivery redelivery) {
    return redelivery == Redelivery.REREAD ? REREAD : STORED;
  }

  static Redelivery of(int code) {
    return code == REREAD ? Redelivery.REREAD : Redelivery.STORED;
  }
}
