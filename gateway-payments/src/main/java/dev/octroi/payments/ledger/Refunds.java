package dev.octroi.payments.ledger;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;

/**
 * Refunds of settled payments (money rule 6): rows of their own, never more than was charged.
 *
 * <p>Thread-safe; each method returns when its change is durable and throws {@link
 * LedgerUnavailable} when the database does not answer in time.
 */
public interface Refunds {

  /** The most that a page holds. */
  int MAX_PAGE = 100;

  /**
   * Notes a refund; sandbox money is back with the payer when this returns, any other is owed.
   *
   * @param payment the settled payment
   * @param amount atomic units; empty: all that is left
   * @param reason for the books, 1 to 200 characters
   * @param requestKey 1 to 64 characters; asked again under the same key, the same refund is found,
   *     and none of another amount
   */
  RefundResult ask(UUID payment, OptionalLong amount, String reason, String requestKey);

  /**
   * OWED → PAID by a transaction of the operator's own, booked in the same commit; false if it is
   * not owed any more, or the transaction is another refund's. One that the treasury is about to
   * pay cannot be paid by hand as well.
   */
  boolean paid(UUID refund, String transaction);

  /** The same refunds, for the task that pays them out of a treasury. */
  Payouts payouts();

  /** What is not paid yet, the oldest first. */
  List<Refund> open(int most);

  /** All refunds of a payment. */
  List<Refund> of(UUID payment);

  /** One refund. */
  Optional<Refund> find(UUID refund);

  /** What came of asking for a refund. */
  sealed interface RefundResult {

    /** It is noted: paid already where the money lies in this database, else owed. */
    record Noted(Refund refund) implements RefundResult {}

    /** There is no such payment. */
    record Unknown() implements RefundResult {}

    /** The payment has not settled, so there is nothing to give back. */
    record NotSettled() implements RefundResult {}

    /** It is the transfer that pays for netted calls: these are given back, each by itself. */
    record PaysForCalls() implements RefundResult {}

    /** A refund of another amount was asked for under the same key. */
    record OtherAmount(Refund refund) implements RefundResult {}

    /** More than is left of it; {@code rest} is in atomic units. */
    record TooMuch(long rest) implements RefundResult {}
  }
}
