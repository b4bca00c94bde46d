package dev.octroi.payments.ledger;

import java.util.Optional;
import java.util.UUID;

/**
 * Effects that cannot be undone, such as a number bought or a call started (money rule 6): each is
 * durable before the vendor is called, and one of unknown outcome is closed only by asking the
 * vendor.
 *
 * <p>Thread-safe. All methods return when their change is durable and throw {@link
 * LedgerUnavailable} when the database does not answer in time.
 */
public interface Effects {

  /**
   * Notes what is about to be done for a payment, or finds it noted before: a caller that gets an
   * effect whose {@link Effect#isNew} is false does not call the vendor for it again.
   *
   * @param payment the payment that pays for it
   * @param kind what is done, 1 to 32 characters; a payment has one effect of a kind
   * @param intent what the vendor is asked for, in the form of its connector, at most 4,000
   *     characters; no secrets
   */
  Effect begin(UUID payment, String kind, String intent);

  /**
   * Closes an effect of unknown outcome.
   *
   * @param outcome DONE or NOT_DONE
   * @param vendorReference the vendor's id of what was done, at most 256 characters, empty where
   *     nothing was
   * @return false if it was closed before; what it was closed with stays
   */
  boolean close(UUID effect, Outcome outcome, String vendorReference);

  /** The effect of a kind that a payment paid for. */
  Optional<Effect> find(UUID payment, String kind);

  /** How an effect ended, with its code in the database. */
  enum Outcome {
    DONE(1),
    NOT_DONE(2),
    /** Nobody has heard: 503 "send the same again". */
    UNKNOWN(3);

    private final int code;

    Outcome(int code) {
      this.code = code;
    }

    int code() {
      return code;
    }

    static Outcome of(int code) {
      return values()[code - 1];
    }
  }

  /**
   * One effect.
   *
   * @param vendorKey the idempotency key to hand to the vendor, the same at every try
   * @param vendorReference the vendor's id of what was done; empty while unknown
   * @param isNew whether this very call noted it
   */
  record Effect(
      UUID id,
      UUID payment,
      String kind,
      String intent,
      String vendorKey,
      Outcome outcome,
      String vendorReference,
      boolean isNew) {}
}
