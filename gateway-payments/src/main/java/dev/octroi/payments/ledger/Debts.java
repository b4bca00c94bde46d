package dev.octroi.payments.ledger;

import java.time.Instant;
import java.util.List;
import java.util.UUID;

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
   * @param skipped so many of the oldest are left out
   * @param most how many debts are returned
   */
  List<Debt> due(long threshold, Instant before, int skipped, int most);

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
   * again. A transfer that settles after that is given back, by a refund.
   *
   * @return how many were closed
   */
  int close();

  /**
   * What one payer owes one seller, and is to be paid for by one transfer.
   *
   * @param key an API key of the payer's account
   * @param network where it is owed, as CAIP-2 id
   * @param payer whose wallet pays
   * @param asset the token's address
   * @param payTo the recipient
   * @param amount atomic units, the sum of all
   * @param payments the calls that it is owed for
   */
  record Debt(
      UUID key,
      String network,
      String payer,
      String asset,
      String payTo,
      long amount,
      List<UUID> payments) {

    public Debt {
      payments = List.copyOf(payments);
    }
  }
}
