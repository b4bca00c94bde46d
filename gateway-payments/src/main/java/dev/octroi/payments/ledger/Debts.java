package dev.octroi.payments.ledger;

import java.time.Instant;
import java.util.List;

/**
 * What accounts owe for calls that were settled on account, and the transfers that pay for it
 * (money rules, gas). A transfer is a payment of its own, claimed and settled like any other, so
 * that no crash pays twice or forgets.
 *
 * <p>Thread-safe; each method returns when its change is durable and throws {@link
 * LedgerUnavailable} when the database does not answer in time.
 */
public interface Debts {

  /**
   * What is to be paid for now, by payer and seller: where enough has come together, or the first
   * call is old enough.
   *
   * @param threshold atomic units from which it is enough
   * @param before calls that were settled before then are old enough
   * @param most how many debts are returned
   */
  List<Debt> due(long threshold, Instant before, int most);

  /**
   * Names the transfer that is to pay for a debt; what the debt had set aside is from now on the
   * transfer's reservation.
   *
   * @param transfer the transfer's claim, of the debt's amount
   * @return false if a part of the debt is another transfer's by now; release the claim then
   */
  boolean assign(Debt debt, Claim transfer);

  /**
   * Closes the transfers that have ended: what was paid for is owed no longer, what was not is owed
   * again.
   *
   * @return how many were closed
   */
  int close();
}
