package dev.octroi.payments.ledger.jdbc;

import com.fasterxml.uuid.Generators;
import com.fasterxml.uuid.NoArgGenerator;
import java.util.UUID;

/**
 * Names new payments by UUIDs of version 7 (RFC 9562), which ascend with time: indexes on them grow
 * at their end, and a query that reads in their order reads rows as they lie. Thread-safe.
 */
final class PaymentIds {

  private static final NoArgGenerator IDS = Generators.timeBasedEpochGenerator();

  private PaymentIds() {}

  static UUID next() {
    return IDS.generate();
  }
}
