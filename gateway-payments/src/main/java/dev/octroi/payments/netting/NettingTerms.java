package dev.octroi.payments.netting;

import dev.octroi.payments.Usd;
import java.time.Duration;

/**
 * When what is owed is paid for.
 *
 * @param period a call is paid for on the chain at the latest so long after it, but for the time
 *     that the transfer takes
 * @param threshold as soon as so much has come together it is paid for before
 */
public record NettingTerms(Duration period, Usd threshold) {

  public NettingTerms {
    if (period.isNegative() || period.isZero() || threshold.isZero()) {
      throw new IllegalArgumentException("netting has a period and a threshold above zero");
    }
  }
}
