package dev.octroi.api.image;

import dev.octroi.api.image.JobRows.JobTerms;
import dev.octroi.payments.PaymentUse;
import dev.octroi.payments.ledger.Owner;
import java.time.Instant;
import java.util.HexFormat;
import java.util.Optional;
import java.util.UUID;

/**
 * A job as it was read.
 *
 * @param id 128 random bits
 * @param attempt how often it was begun
 * @param lost how often a node died over it
 * @param runner the node that is to run it; empty while any node may, and in the end
 * @param active the one payment that may pay for it
 * @param network of that payment
 * @param envelope the payment header that it was ordered with
 * @param settled whether it is known to be paid
 */
record ImageJob(
    UUID id,
    JobTerms terms,
    JobState state,
    int attempt,
    int lost,
    Optional<Owner> runner,
    JobResult result,
    PaymentUse active,
    String network,
    Optional<String> envelope,
    boolean settled,
    Instant created) {

  private static final HexFormat HEX = HexFormat.of();
  private static final String PREFIX = "img_";
  private static final int DIGITS = 16;

  /** What callers know it by. */
  String name() {
    return PREFIX
        + HEX.toHexDigits(id.getMostSignificantBits())
        + HEX.toHexDigits(id.getLeastSignificantBits());
  }

  /** The id that a name stands for; empty for a text that is no name. */
  static Optional<UUID> id(String name) {
    if (!name.matches(PREFIX + "[0-9a-f]{32}")) {
      return Optional.empty();
    }
    String digits = name.substring(PREFIX.length());
    return Optional.of(
        new UUID(
            HexFormat.fromHexDigitsToLong(digits, 0, DIGITS),
            HexFormat.fromHexDigitsToLong(digits, DIGITS, 2 * DIGITS)));
  }

  /** The same job, begun once more by a life of a node. */
  ImageJob begun(Owner by, int lostSoFar) {
    return new ImageJob(
        id,
        terms,
        JobState.IN_PROGRESS,
        attempt + 1,
        lostSoFar,
        Optional.of(by),
        result,
        active,
        network,
        envelope,
        settled,
        created);
  }

  /** Where a job stands (specification, image generation job). */
  enum JobState {
    QUEUED("queued"),
    IN_PROGRESS("in_progress"),
    COMPLETED("completed"),
    FAILED("failed");

    private final String word;

    JobState(String word) {
      this.word = word;
    }

    /** As callers are told. */
    String word() {
      return word;
    }

    boolean isRunning() {
      return this == QUEUED || this == IN_PROGRESS;
    }
  }
}
