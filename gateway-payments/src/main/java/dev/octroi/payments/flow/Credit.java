package dev.octroi.payments.flow;

import dev.octroi.payments.CallRefused;
import dev.octroi.payments.HttpAnswer;
import dev.octroi.payments.Usd;
import dev.octroi.payments.ledger.PayerHistory;
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

  /** Takes what the call may cost out of what all may owe, until the call is closed. */
  void take(IncomingCall call, VerifiedPayment payment) {
    if (!isTaken(call, payment)) {
      return;
    }
    long quote = payment.terms().micros();
    if (open.addAndGet(quote) > terms.inAll().micros()) {
      open.addAndGet(-quote);
      LOG.warn(
          "A call was refused: answers that are not paid for yet come to {} dollars, which is all"
              + " that this gateway gives on credit",
          terms.inAll().dollars());
      throw new CallRefused(
          HttpAnswer.retry(429, "Too much is unsettled at the moment; nothing was charged."));
    }
    call.hold(() -> open.addAndGet(-quote));
  }

  /** When a call must be over by its payment; a ceiling must be settled yet when its stream is. */
  Instant end(IncomingCall call, VerifiedPayment payment) {
    Instant end = payment.payer().validBefore();
    return payment.streamsUnderCeiling(call) ? end.minus(TO_SETTLE) : end;
  }

  /** What is out on credit now. */
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
