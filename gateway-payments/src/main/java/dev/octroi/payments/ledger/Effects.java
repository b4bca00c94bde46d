package dev.octroi.payments.ledger;

import dev.octroi.payments.PaymentUse;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jdbi.v3.core.Handle;

/**
 * Effects that cannot be undone, such as a number bought or a call started (money rule 6): each is
 * durable before the vendor is called, and one of unknown outcome is closed only by asking the
 * vendor.
 *
 * <p>Thread-safe. All methods return when their change is durable and throw {@link
 * LedgerUnavailable} when the database does not answer in time.
 */
public interface Effects {

  /** The most that a page holds. */
  int MAX_PAGE = 100;

  /**
   * The kind of a stream that failed before its first byte, while its payment's transaction was on
   * its way: it is refunded once that is final.
   */
  String UNBEGUN = "unbegun-stream";

  /**
   * Notes what is about to be done for a payment, or finds it noted before: a caller that gets an
   * effect whose {@link Effect#isNew} is false does not call the vendor for it again.
   *
   * <p>As a vendor is called only after the settlement, what was noted for a payment that is still
   * claimed was never done: its next attempt takes the row over, with its own intent.
   *
   * @param use the payment that pays for it
   * @param kind what is done, 1 to 32 characters; a payment has one effect of a kind
   * @param intent what the vendor is asked for, in the form of its connector, at most 24,000
   *     characters; no secrets
   */
  Effect begin(PaymentUse use, String kind, String intent);

  /**
   * Closes an effect of unknown outcome, and writes what goes with that in the same commit.
   *
   * @param effect as it was read: one that another attempt has taken over since is not closed
   * @return false if it was closed before; what it was closed with stays, and nothing is written
   */
  boolean close(Effect effect, Ending ending, Along along);

  /** The effect of a kind that a payment paid for. */
  Optional<Effect> find(UUID payment, String kind);

  Optional<Effect> find(UUID effect);

  /** All effects of a payment, the oldest first. */
  List<Effect> of(UUID payment);

  /** Effects that ended so, the oldest first, at most {@value #MAX_PAGE}. */
  List<Effect> list(Outcome outcome, int most);

  /**
   * Effects of one kind, of unknown outcome, that are to be looked at: begun before, and due.
   *
   * @param begunBefore whose calls are over
   */
  List<Open> due(String kind, Instant begunBefore, int most);

  /**
   * Other effects of the same kind and intent, begun since, that were done or may have been: what a
   * vendor knows by its content alone may be theirs.
   */
  List<Effect> alike(Effect effect, Instant since);

  /** An effect stays unknown; it is due again later. */
  void later(UUID effect, Instant due);

  /**
   * Effects that were not done and closed since, whose payments have settled nevertheless and were
   * not refunded under the effect's {@linkplain Effect#refundKey key}.
   */
  List<Effect> unrefunded(String kind, Instant closedSince, int most);

  /** How an effect ended. */
  enum Outcome {
    DONE,
    NOT_DONE,
    /** Not known yet: 503 "send the same again". */
    UNKNOWN
  }

  /**
   * What an effect is closed with.
   *
   * @param outcome DONE or NOT_DONE
   * @param reference the vendor's id of what was done, at most 256 characters, empty where nothing
   *     was
   * @param details what else is known of what was done, at most 4,000 characters
   * @param note why it was not done, or by whom it was closed; what exceeds 300 characters is cut
   */
  record Ending(Outcome outcome, String reference, String details, String note) {

    private static final int MAX_NOTE = 300;

    public Ending {
      if (outcome == Outcome.UNKNOWN) {
        throw new IllegalArgumentException("an effect is closed as done or not done");
      }
      note = note.substring(0, Math.min(note.length(), MAX_NOTE));
    }

    public static Ending done(String reference, String details) {
      return new Ending(Outcome.DONE, reference, details, "");
    }

    public static Ending notDone(String why) {
      return new Ending(Outcome.NOT_DONE, "", "", why);
    }
  }

  /** What is written in the transaction that closes an effect; it may be run twice. */
  @FunctionalInterface
  interface Along {

    Along NOTHING = handle -> {};

    void write(Handle handle) throws SQLException;
  }

  /**
   * An effect of unknown outcome and how its payment stands.
   *
   * @param paid what the payment is; empty where the ledger has forgotten it
   * @param sent whether the payment's transaction was on its way, which is enough for its call to
   *     go on (money rule 11)
   * @param tries how often it was found unknown
   */
  record Open(Effect effect, Optional<PaymentState> paid, boolean sent, int tries) {}

  /**
   * One effect.
   *
   * @param vendorKey the idempotency key to hand to the vendor, the same at every try
   * @param vendorReference the vendor's id of what was done; empty while unknown
   * @param details what else is known of what was done
   * @param note why it was not done, or how it was closed
   * @param begun when it was noted
   * @param isNew whether this very call noted it, or took it over
   */
  record Effect(
      UUID id,
      UUID payment,
      String kind,
      String intent,
      String vendorKey,
      Outcome outcome,
      String vendorReference,
      String details,
      String note,
      Instant begun,
      boolean isNew) {

    /** The request key of the refund of what was not done. */
    public String refundKey() {
      return "effect-" + id;
    }
  }
}
