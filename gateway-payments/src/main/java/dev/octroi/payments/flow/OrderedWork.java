package dev.octroi.payments.flow;

import dev.octroi.payments.Admission;
import dev.octroi.payments.ledger.ClaimResult;
import java.util.Iterator;
import java.util.List;

/**
 * A payer asks for work that was ordered before, and pays with what the order was submitted with,
 * or, where that will not do, with what this call brings.
 *
 * @param owner the payer
 * @param candidates what pays, the order's first
 * @param reason why none does, if there is none
 */
record OrderedWork(String owner, List<VerifiedPayment> candidates, String reason)
    implements Authorization {

  @Override
  public Admission.Caller caller() {
    return Admission.Caller.payer(owner);
  }

  @Override
  public Iterator<VerifiedPayment> payments() {
    return candidates.iterator();
  }

  /**
   * The order's payment keeps its turn where it is used now, or may be by another call (money rule
   * 9).
   */
  @Override
  public boolean givesWay(VerifiedPayment payment, ClaimResult result) {
    boolean last = payment.equals(candidates.get(candidates.size() - 1));
    boolean inUse =
        result instanceof ClaimResult.Claimed
            || result instanceof ClaimResult.Replay
            || result instanceof ClaimResult.Rerun
            || result instanceof ClaimResult.InFlight
            || result instanceof ClaimResult.InDoubt;
    return !last && !inUse;
  }
}
