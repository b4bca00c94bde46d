package dev.octroi.payments.flow;

import dev.octroi.payments.CallRefused;
import dev.octroi.payments.HttpAnswer;
import dev.octroi.payments.Usd;
import dev.octroi.payments.flow.CreditBounds.CreditTerms;
import dev.octroi.payments.ledger.LedgerUnavailable;
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
  private final CreditBounds bounds;
  private final Settler settler;
  private final Refusals refusals;
  private final AtomicLong open = new AtomicLong();

  Credit(CreditTerms terms, Settler settler, Refusals refusals) {
    this.terms = terms;
    this.bounds = new CreditBounds(terms, settler.ledger());
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
    long limit =
        bounds
            .limit(payment.terms().network(), payment.payerKey(), payment.terms().micros())
            .orElseThrow(() -> refused(call, payment));
    return payment.trustedWith(Math.min(limit, payment.trusted().orElse(limit)));
  }

  /**
   * Notes that the answer of a claimed call leaves before it is paid for. Throws {@link
   * CallRefused} where its payer has lost its credit since it was {@linkplain #limited asked for},
   * and where all payers together owe too much; the payment is given back.
   */
  void give(PaidCall call) {
    VerifiedPayment payment = call.verified();
    if (!isTaken(call.incoming(), payment)) {
      return;
    }
    try {
      bounds.leaves(call.claim());
      if (!bounds.trusts(payment.terms().network(), payment.payerKey())) {
        giveBack(call, REFUSED);
        throw refused(call.incoming(), payment);
      }
      if (!bounds.coverAll()) {
        refuseUnlessCovered(call);
      }
    } catch (LedgerUnavailable e) {
      giveBack(call, "ledger_unavailable");
      throw e;
    }
    long quote = payment.terms().micros();
    open.addAndGet(quote);
    call.incoming().hold(() -> open.addAndGet(-quote));
  }

  /** Of calls at once that come to too much, one after the other is refused. */
  private synchronized void refuseUnlessCovered(PaidCall call) {
    if (bounds.coverAll()) {
      return;
    }
    giveBack(call, IN_ALL);
    LOG.warn(
        "A call was refused: answers that are not paid for yet, or were not within a day, come to"
            + " {} dollars, which is all that is given on credit",
        terms.inAll().dollars());
    throw new CallRefused(
        HttpAnswer.retry(429, "Too much is unsettled at the moment; nothing was charged."));
  }

  private void giveBack(PaidCall call, String reason) {
    var unused = settler.giveBack(call, ReleaseReason.of(reason));
  }

  private CallRefused refused(IncomingCall call, VerifiedPayment payment) {
    OfferedPrice exact = OfferedPrice.of(payment.price().amount());
    return new CallRefused(refusals.invalid(call.exchange(), exact, REFUSED));
  }

  /** When a call must be over by its payment; what a stream has used must be settled yet then. */
  Instant end(IncomingCall call, VerifiedPayment payment) {
    Instant end = payment.payer().validBefore();
    return payment.chargesUse(call) && call.isStreamed() ? end.minus(TO_SETTLE) : end;
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
}
