package dev.octroi.payments.flow;

import dev.octroi.payments.PayerPolicy;
import dev.octroi.payments.ledger.ClaimRequest;
import dev.octroi.payments.ledger.ClaimResult;
import java.util.Iterator;
import java.util.Optional;
import java.util.function.Function;

/**
 * Claims payments: the only place that does, for calls and for accounts that are charged without
 * one. Thread-safe.
 *
 * @param policy whose money is taken
 */
record PaymentClaims(Settler settler, PayerPolicy policy) {

  private static final ClaimResult REFUSED = new ClaimResult.Failed("payer_refused");

  /**
   * What came of claiming.
   *
   * @param payment the payment that the result is about
   * @param isServed whether policy takes its payer's money; nothing was claimed otherwise
   */
  record Claimed(VerifiedPayment payment, ClaimResult result, boolean isServed) {}

  /**
   * Claims the first payment that can be claimed; a wallet that is short gives way to the next.
   * Empty if there was none to claim.
   *
   * <p>The claim is the security argument: one row, unique by network, payer and nonce, durable
   * before any work is done. Of any number of requests that carry this payment, on any node, one at
   * a time is Claimed, and from settlement on only for the request that the row is bound to.
   *
   * @param request what a payment is claimed for
   */
  Optional<Claimed> claim(
      Authorization authorization, Function<VerifiedPayment, ClaimRequest> request) {
    Iterator<VerifiedPayment> payments = authorization.payments();
    while (payments.hasNext()) {
      VerifiedPayment payment = payments.next();
      if (!policy.serves(payment.terms().network(), payment.payerKey())) {
        return Optional.of(new Claimed(payment, REFUSED, false));
      }
      ClaimResult result = claim(payment, request);
      if (!authorization.givesWay(payment, result)) {
        return Optional.of(new Claimed(payment, result, true));
      }
    }
    return Optional.empty();
  }

  private ClaimResult claim(
      VerifiedPayment payment, Function<VerifiedPayment, ClaimRequest> request) {
    String lateFor = payment.lateFor();
    if (lateFor == null) {
      return settler.claim(request.apply(payment));
    }
    // A payment whose time is over claims nothing, yet an answer that it paid for is still owed.
    ClaimResult bought = settler.redeliver(request.apply(payment));
    return bought instanceof ClaimResult.Failed ? new ClaimResult.Failed(lateFor) : bought;
  }
}
