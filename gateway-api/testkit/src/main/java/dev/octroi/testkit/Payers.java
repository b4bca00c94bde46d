package dev.octroi.testkit;

import dev.octroi.payments.client.Wallet;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Payers without end: each makes fewer payments than the smallest rate that a gateway grants a
 * payer in a minute, so that the kit needs no raised limits for them. Thread-safe.
 */
final class Payers {

  /** The prediction group takes 100 a minute (specification, limits). */
  private static final int PAYMENTS_EACH = 50;

  private final AtomicInteger payments = new AtomicInteger();
  private volatile Payer current = new Payer(Wallet.generate());

  Payer next() {
    if (payments.incrementAndGet() % PAYMENTS_EACH == 0) {
      current = new Payer(Wallet.generate());
    }
    return current;
  }
}
