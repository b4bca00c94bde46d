package dev.octroi.payments.effect;

import dev.octroi.payments.ledger.Effects;
import java.sql.SQLException;
import org.jdbi.v3.core.Handle;

/** One kind of effect: how its vendor is called and asked, and what is written of it. */
public interface EffectVendor {

  /** What is done, 1 to 32 characters; a payment has one effect of a kind. */
  String kind();

  /**
   * Throws what the caller is told where calls of the vendor are known to fail now, before the
   * effect is noted or paid for: it would be refunded.
   */
  default void requireReachable() {}

  /**
   * Calls the vendor, once: the effect is durable and the payment has settled. Ends within a call's
   * longest duration; what it throws counts as {@link Attempt.Unknown}.
   */
  Attempt attempt(Effects.Effect effect);

  /**
   * Asks the vendor what became of an effect, by {@link Effects.Effect#vendorKey} or its intent,
   * and never does it. Its call is over, or may be under way still where its payer asks again: then
   * what the vendor does not know is {@link Attempt.NotDone} only if it can never be done any more.
   */
  Attempt ask(Effects.Effect effect);

  /**
   * Writes what was done, in the transaction that closes the effect. May be run twice, and neither
   * waits nor leaks the handle.
   */
  void record(Handle handle, Effects.Effect effect, Attempt.Done done) throws SQLException;

  /** What a vendor said, or is known to have done, about an effect. */
  sealed interface Attempt {

    /**
     * It was done.
     *
     * @param reference the vendor's id of it, 1 to 256 characters
     * @param details what else is known of it, in the form of its connector, at most 4,000
     *     characters
     */
    record Done(String reference, String details) implements Attempt {

      private static final int MAX_REFERENCE = 256;
      private static final int MAX_DETAILS = 4_000;

      /** What cannot be kept is no answer: its outcome stays unknown. */
      public Done {
        if (reference.length() > MAX_REFERENCE || details.length() > MAX_DETAILS) {
          throw new IllegalArgumentException("what was done is told in more words than are kept");
        }
      }
    }

    /**
     * It certainly was not done and will not be.
     *
     * @param reason for the operator and the caller, at most 200 characters
     */
    record NotDone(String reason) implements Attempt {}

    /**
     * Which of the two is not known: a timeout, a broken connection, an answer that says neither.
     */
    record Unknown() implements Attempt {}
  }
}
