package dev.octroi.payments.ledger;

import dev.octroi.payments.facilitator.PaymentKey;
import java.util.Comparator;

/** A payer on a network, whatever the asset. */
record Payer(String network, String address) {

  /** The one order in which transactions lock payers, so that two never wait for each other. */
  static final Comparator<Payer> LOCK_ORDER =
      Comparator.comparing(Payer::network).thenComparing(Payer::address);

  static Payer of(PaymentKey key) {
    return new Payer(key.network(), key.payer());
  }
}
