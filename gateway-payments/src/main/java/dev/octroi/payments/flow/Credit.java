package dev.octroi.payments.flow;

import dev.octroi.payments.CallRefused;
import dev.octroi.payments.HttpAnswer;
import dev.octroi.payments.Usd;
import dev.octroi.payments.ledger.DeferredSettlements;
import dev.octroi.payments.ledger.LedgerUnavailable;
import dev.octroi.payments.ledger.PayerHistory;
import dev.octroi.payments.ledger.ReleaseReason;
import dev.octroi.payments.x402.OfferedPrice;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Bounds what is delivered before it is paid for: streams whose payer has signed a ceiling. Sandbox
 * money needs none, for the ledger has reserved it. Thread-safe.
 */
final class Credit {

  /** The reason of a ceiling that is above what its payer may owe, or of a payer that may not. */
  static final String REFUSED = "upto_credit_refused";

  private static final String IN_ALL = "credit_in_all";

  private static final Duration TO_SETTLE = Duration.ofSeconds(10);

  private static final Logger LOG = LoggerFactory.getLogger(Credit.class);

  private final CreditTerms terms;
  private final Settler settler;
  private final Refusals refusals;
  private final AtomicLong open = new AtomicLong();

  Credit(CreditTerms terms, Settler settler, Refusals refusals) {
    this.terms = terms;
    this.settler = settler;
    this.refusals = refusals;
  }

  /**
   * The payment as it may be claimed: a payer has no more unsettled at once than it may owe. Throws
   * {@link CallRefused} with a challenge that offers exact payment alone, where this payer has no
   * credit for this call.
   */
  VerifiedPayment limited(IncomingCall call, VerifiedPayment payment) {
    if (!isTaken(call, payment)) {
      return payment;
    }
    long quote = payment.terms().micros();
    long limit = limit(payment);
    if (quote > limit) {
      OfferedPrice exact = OfferedPrice.of(payment.price().amount());
      throw new CallRefused(refusals.invalid(call.exchange(), exact, REFUSED));
    }
    long covered = payment.payer().spendable().orElse(payment.trusted().orElse(limit));
    return payment.trustedWith(Math.min(limit, covered));
  }

  /**
   * Notes that the answer of a claimed call leaves before it is paid for. Throws {@link
   * CallRefused} where all payers together owe too much; the payment is given back.
   */
  void give(PaidCall call) {
    if (!isTaken(call.incoming(), call.verified())) {
      return;
    }
    DeferredSettlements deferred = settler.ledger().deferredSettlements();
    try {
      deferred.leaving(call.claim());
      if (deferred.owed() > terms.inAll().micros()) {
        refuseUnlessCovered(call, deferred);
      }
    } catch (LedgerUnavailable e) {
      var unused = settler.giveBack(call, ReleaseReason.of(IN_ALL));
      throw e;
    }
    long quote = call.verified().terms().micros();
    open.addAndGet(quote);
    call.incoming().hold(() -> open.addAndGet(-quote));
  }

  /** Of calls at once that come to too much, one after the other is refused. */
  private synchronized void refuseUnlessCovered(PaidCall call, DeferredSettlements deferred) {
    if (deferred.owed() <= terms.inAll().micros()) {
      return;
    }
    var unused = settler.giveBack(call, ReleaseReason.of(IN_ALL));
    LOG.warn(
        "A call was refused: answers that are not paid for yet, or were not within a day, come to"
            + " {} dollars, which is all that is given on credit",
        terms.inAll().dollars());
    throw new CallRefused(
        HttpAnswer.retry(429, "Too much is unsettled at the moment; nothing was charged."));
  }

  /** When a call must be over by its payment; a ceiling must be settled yet when its stream is. */
  Instant end(IncomingCall call, VerifiedPayment payment) {
    Instant end = payment.payer().validBefore();
    return payment.streamsUnderCeiling(call) ? end.minus(TO_SETTLE) : end;
  }

  /** What this node is delivering on credit now. */
  Usd open() {
    return new Usd(open.get());
  }

  private boolean isTaken(IncomingCall call, VerifiedPayment payment) {
    return payment.lateFor() == null
        && payment.streamsUnderCeiling(call)
        && !settler.facilitator(payment.terms().network()).settlesInLedger();
  }

  private long limit(VerifiedPayment payment) {
    PayerHistory history = settler.ledger().history(payment.terms().network(), payment.payerKey());
    if (history.hasFailed()) {
      return 0;
    }
    return (history.hasPaid() ? terms.payer() : terms.stranger()).micros();
  }
}
