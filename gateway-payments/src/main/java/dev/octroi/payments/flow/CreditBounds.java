package dev.octroi.payments.flow;

import dev.octroi.payments.Usd;
import dev.octroi.payments.ledger.Claim;
import dev.octroi.payments.ledger.Ledger;
import dev.octroi.payments.ledger.Ledger.PayerHistory;
import java.util.OptionalLong;

/**
 * How much is given on credit, to a payer and in all, by all nodes of a ledger. Thread-safe.
 *
 * <p>A payer's part is kept by the ledger, which lets it have no more open at once than its limit.
 * So the limit is asked for before a claim, and whether the payer still has credit after it: what
 * failed in between was open beside no claim of the ledger's. That of all is added up once the
 * claim is noted as leaving: of two at once each then sees the other.
 */
public final class CreditBounds {

  private final CreditTerms terms;
  private final Ledger ledger;

  public CreditBounds(CreditTerms terms, Ledger ledger) {
    this.terms = terms;
    this.ledger = ledger;
  }

  /**
   * How much a payer may have unsettled at once, in millionths of a dollar; empty if that is too
   * little for one call.
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

  /** Notes that the answer of a claimed call leaves before it is paid for. */
  public void leaves(Claim claim) {
    ledger.deferredSettlements().leaving(claim);
  }

  /** Whether a payer has paid for all that it had on credit, or may yet. */
  public boolean trusts(String network, String payer) {
    return !ledger.history(network, payer).hasFailed();
  }

  /** Whether what all payers owe, those that were noted included, is what they may owe at most. */
  public boolean coverAll() {
    return ledger.deferredSettlements().owed() <= terms.inAll().micros();
  }

  /**
   * How much may be delivered before it is paid for, to payers that sign a ceiling.
   *
   * @param payer what a payer may owe that has paid here before
   * @param stranger what any other payer may owe
   * @param inAll what all payers may owe together, on all nodes, what was lost within a day
   *     included
   */
  public record CreditTerms(Usd payer, Usd stranger, Usd inAll) {

    /** A dollar a payer, ten cents a stranger, a hundred dollars in all. */
    public static final CreditTerms DEFAULT =
        new CreditTerms(Usd.parse("1"), Usd.parse("0.10"), Usd.parse("100"));
  }
}
