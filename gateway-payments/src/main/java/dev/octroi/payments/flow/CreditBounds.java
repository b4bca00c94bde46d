package dev.octroi.payments.flow;

import dev.octroi.payments.Usd;
import dev.octroi.payments.ledger.Ledger;
import dev.octroi.payments.ledger.PayerHistory;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLong;

/**
 * How much this node gives on credit, to a payer and in all, in millionths of a dollar.
 * Thread-safe.
 *
 * <p>A payer's part is kept by the ledger, which lets it have no more open at once than its limit.
 * So the limit is asked for before a claim, and whether the payer still has credit after it: what
 * failed in between was open beside no claim of the ledger's.
 */
public final class CreditBounds {

  private final CreditTerms terms;
  private final Ledger ledger;
  private final AtomicLong open = new AtomicLong();

  /** The bounds of a node that gives nothing on credit yet. */
  public CreditBounds(CreditTerms terms, Ledger ledger) {
    this.terms = terms;
    this.ledger = ledger;
  }

  /**
   * How much a payer may have unsettled at once; empty if that is too little for one call.
   *
   * @param network CAIP-2 id
   * @param payer the payer's address
   * @param quote what the call costs at most
   */
  public OptionalLong limit(String network, String payer, long quote) {
    PayerHistory history = ledger.history(network, payer);
    long limit = (history.hasPaid() ? terms.payer() : terms.stranger()).micros();
    return history.hasFailed() || quote > limit ? OptionalLong.empty() : OptionalLong.of(limit);
  }

  /** Whether a payer has paid for all that it had on credit, or may yet. */
  public boolean trusts(String network, String payer) {
    return !ledger.history(network, payer).hasFailed();
  }

  /** Takes what a call may cost out of what all may owe; false if that is not there. */
  public boolean take(long quote) {
    if (open.addAndGet(quote) > terms.inAll().micros()) {
      open.addAndGet(-quote);
      return false;
    }
    return true;
  }

  /** A call has ended for which so much was taken. */
  public void giveBack(long quote) {
    open.addAndGet(-quote);
  }

  /** What is out on credit now. */
  public Usd open() {
    return new Usd(open.get());
  }
}
