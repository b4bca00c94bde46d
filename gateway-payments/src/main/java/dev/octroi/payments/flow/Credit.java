package dev.octroi.payments.flow;

import dev.octroi.payments.CallRefused;
import dev.octroi.payments.HttpAnswer;
import dev.octroi.payments.Usd;
import dev.octroi.payments.ledger.ReleaseReason;
import dev.octroi.payments.x402.OfferedPrice;
import java.time.Duration;
import java.time.Instant;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Bounds what is delivered before it is paid for: streams whose payer has signed a ceiling. Sandbox
 * money needs none, for the ledger has reserved it. Thread-safe.
 */
final class Credit {

  /** The reason of a ceiling that is above what its payer may owe, or of a payer that may not. */
  static final String REFUSED = "upto_credit_refused";

  private static final Duration TO_SETTLE = Duration.ofSeconds(10);

  private static final Logger LOG = LoggerFactory.getLogger(Credit.class);

  private final CreditTerms terms;
  private final CreditBounds bounds;
  private final Settler settler;
  private final Refusals refusals;

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
    long covered = payment.payer().spendable().orElse(payment.trusted().orElse(limit));
    return payment.trustedWith(Math.min(limit, covered));
  }

  /** Takes what the call may cost out of what all may owe, until the call is closed. */
  void take(IncomingCall call, VerifiedPayment payment) {
    if (!isTaken(call, payment)) {
      return;
    }
    long quote = payment.terms().micros();
    if (!bounds.take(quote)) {
      LOG.warn(
          "A call was refused: answers that are not paid for yet come to {} dollars, which is all"
              + " that this gateway gives on credit",
          terms.inAll().dollars());
      throw new CallRefused(
          HttpAnswer.retry(429, "Too much is unsettled at the moment; nothing was charged."));
    }
    call.hold(() -> bounds.giveBack(quote));
  }

  /**
   * Ends a call whose payer lost its credit between the question for its limit and the claim;
   * throws {@link CallRefused} as {@link #limited} does.
   */
  void confirm(PaidCall call) {
    VerifiedPayment payment = call.verified();
    if (!isTaken(call.incoming(), payment)) {
      return;
    }
    boolean trusted = false;
    try {
      trusted = bounds.trusts(payment.terms().network(), payment.payerKey());
    } finally {
      if (!trusted) {
        var unused = settler.giveBack(call, ReleaseReason.of(REFUSED));
      }
    }
    if (!trusted) {
      throw refused(call.incoming(), payment);
    }
  }

  private CallRefused refused(IncomingCall call, VerifiedPayment payment) {
    OfferedPrice exact = OfferedPrice.of(payment.price().amount());
    return new CallRefused(refusals.invalid(call.exchange(), exact, REFUSED));
  }

  /** When a call must be over by its payment; a ceiling must be settled yet when its stream is. */
  Instant end(IncomingCall call, VerifiedPayment payment) {
    Instant end = payment.payer().validBefore();
    return payment.streamsUnderCeiling(call) ? end.minus(TO_SETTLE) : end;
  }

  /** What is out on credit now. */
  Usd open() {
    return bounds.open();
  }

  private boolean isTaken(IncomingCall call, VerifiedPayment payment) {
    return payment.lateFor() == null
        && payment.streamsUnderCeiling(call)
        && !settler.facilitator(payment.terms().network()).settlesInLedger();
  }
}
