package dev.octroi.payments.flow;

import dev.octroi.payments.PayerPolicy;
import dev.octroi.payments.Redelivery;
import dev.octroi.payments.Usd;
import dev.octroi.payments.facilitator.ChannelUse;
import dev.octroi.payments.facilitator.Facilitator;
import dev.octroi.payments.facilitator.Settlement;
import dev.octroi.payments.facilitator.Verification;
import dev.octroi.payments.ledger.AnswerTooLarge;
import dev.octroi.payments.ledger.Claim;
import dev.octroi.payments.ledger.ClaimRequest;
import dev.octroi.payments.ledger.ClaimResult;
import dev.octroi.payments.ledger.Effects;
import dev.octroi.payments.ledger.Effects.Effect;
import dev.octroi.payments.ledger.Effects.Ending;
import dev.octroi.payments.ledger.Ledger;
import dev.octroi.payments.ledger.LedgerUnavailable;
import dev.octroi.payments.ledger.Refunds.RefundResult;
import dev.octroi.payments.ledger.ReleaseReason;
import dev.octroi.payments.ledger.StoredAnswer;
import dev.octroi.payments.x402.PaymentPayload;
import dev.octroi.payments.x402.PaymentRequirements;
import dev.octroi.payments.x402.SettlementOrder;
import java.time.Clock;
import java.time.Duration;
import java.util.Iterator;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Claims payments, the only place that does, for calls and for accounts that are charged without
 * one; and moves the money of a claim, with the ledger knowing it before and after (money rule 3).
 * Whatever is not known for certain is {@link Settlement.Unknown}. Thread-safe.
 *
 * @param facilitators by network
 * @param netted whether calls by API key are settled on account, to be paid for together
 * @param steps is told how each step ended
 * @param policy whose money is taken
 * @param unsettledPerPayer what a payer whose balance is not told may have unsettled at once
 */
record Settler(
    Ledger ledger,
    Map<String, Facilitator> facilitators,
    boolean netted,
    Steps steps,
    PayerPolicy policy,
    Usd unsettledPerPayer,
    Clock clock) {

  private static final Logger LOG = LoggerFactory.getLogger(Settler.class);

  private static final String UNBEGUN = "its stream failed before the first byte";
  private static final String UNBEGUN_KEY = "octroi-unbegun";

  private static final ClaimResult REFUSED = new ClaimResult.Failed("payer_refused");

  /** The claim was closed by another node or by the sweeper: nothing may be delivered on it. */
  private static final Settlement LOST = new Settlement.Unknown("claim_lost", null);

  /** How long another node waits before it settles what this one was about to. */
  private static final Duration DEFERRED = Duration.ofSeconds(30);

  /** The ledger never began to write it down, so that nothing was sent and no money moved. */
  private static final Settlement BUSY = new Settlement.Unsent("ledger_busy");

  Facilitator facilitator(String network) {
    Facilitator facilitator = facilitators.get(network);
    if (facilitator == null) {
      throw new IllegalStateException("no facilitator for " + network + ", yet it was offered");
    }
    return facilitator;
  }

  /** Has the facilitator of its network look at a payment. */
  Verification verify(PaymentPayload payload, PaymentRequirements terms) {
    long began = System.nanoTime();
    Verification said = null;
    try {
      said = facilitator(terms.network()).verify(payload, terms);
      return said;
    } finally {
      steps.verified(terms.network(), said, began);
    }
  }

  /**
   * How far a payer is trusted whose balance neither facilitator nor ledger tells (money rule 8).
   * The facilitator has seen that this one payment is covered and did not tell what else is, so
   * that a single one always passes.
   */
  OptionalLong trusted(PaymentRequirements terms, Verification.Valid payer) {
    boolean told = payer.spendable().isPresent() || facilitator(terms.network()).settlesInLedger();
    return told
        ? OptionalLong.empty()
        : OptionalLong.of(Math.max(unsettledPerPayer.micros(), terms.micros()));
  }

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
      return noted(request.apply(payment), ledger::claim);
    }
    // A payment whose time is over claims nothing, yet an answer that it paid for is still owed.
    ClaimResult bought = noted(request.apply(payment), ledger::redeliver);
    return bought instanceof ClaimResult.Failed ? new ClaimResult.Failed(lateFor) : bought;
  }

  private ClaimResult noted(ClaimRequest request, Function<ClaimRequest, ClaimResult> asked) {
    long began = System.nanoTime();
    ClaimResult said = null;
    try {
      said = asked.apply(request);
      return said;
    } finally {
      steps.claimed(request, said, began);
    }
  }

  /**
   * Moves the money, at most once for a call.
   *
   * @param answer what is about to be charged; empty where it is not kept
   * @throws AnswerTooLarge if the answer cannot be kept; nothing has moved then
   */
  Settlement settle(Chargeable call, Optional<StoredAnswer> answer) {
    long began = System.nanoTime();
    Settlement outcome = moved(call, answer.orElse(null));
    steps.settled(call, outcome, began);
    return call.settled(outcome);
  }

  private Settlement moved(Chargeable call, @Nullable StoredAnswer answer) {
    Facilitator facilitator = facilitator(call.network());
    if (facilitator.settlesInLedger()) {
      return atOnce(call, () -> ledger.settleHere(call.claim(), answer));
    }
    if (isByVoucher(call)) {
      return atOnce(call, () -> ledger.settleByVoucher(call.claim(), answer));
    }
    if (netted && call.verified().byKey().isPresent()) {
      return atOnce(call, () -> ledger.settleOnAccount(call.claim(), answer));
    }
    return settleThere(facilitator, call, answer);
  }

  /** A deposit has to be sent; a voucher is claimed later, with many others. */
  private static boolean isByVoucher(Chargeable call) {
    Optional<ChannelUse> channel = call.verified().payer().channel();
    return channel.isPresent() && channel.get().deposit().isEmpty();
  }

  private Settlement settleThere(
      Facilitator facilitator, Chargeable call, @Nullable StoredAnswer answer) {
    Optional<VerifiedPayment> sent = sendable(facilitator, call);
    if (sent.isEmpty()) {
      giveBack(call, ReleaseReason.of("charge_not_verified"));
      return new Settlement.Unsent("charge_not_verified");
    }
    Optional<Settlement> hindrance = hindrance(call, answer);
    return hindrance.isPresent()
        ? hindrance.get()
        : recorded(call.claim(), send(facilitator, call, sent.get()));
  }

  /** The payment as it was agreed, or one for less in its place, which is verified first. */
  private static Optional<VerifiedPayment> sendable(Facilitator facilitator, Chargeable call) {
    VerifiedPayment agreed = call.verified();
    if (call.charge().equals(call.quote())) {
      return Optional.of(agreed);
    }
    if (agreed.terms().isUpto() || agreed.terms().isChannel()) {
      return Optional.of(agreed.charging(call.charge()));
    }
    try {
      Optional<VerifiedPayment> lesser = agreed.lesser(call.charge());
      if (lesser.isEmpty()) {
        call.chargeQuote();
        return Optional.of(agreed);
      }
      return lesser.filter(
          less ->
              facilitator.verify(less.payload(), less.terms()) instanceof Verification.Valid valid
                  && valid.nonce().equals(agreed.payer().nonce()));
    } catch (RuntimeException e) {
      LOG.error("Payment {}: the charge could not be signed", call.id(), e);
      return Optional.empty();
    }
  }

  /** For the method that settles before its effect; the payer gets 402 or 503 if that fails. */
  Settlement settleNow(PaidCall call) {
    call.settlesEarly();
    return call.settlement().orElseGet(() -> settle(call, Optional.empty()));
  }

  /**
   * Keeps the answer of a call whose money moved before its effect, before it leaves (money rule
   * 3). It leaves in any case: it was paid for.
   */
  void answered(PaidCall call, StoredAnswer answer) {
    try {
      if (!ledger.answered(call.claim(), answer)) {
        LOG.warn("Payment {}: its answer was not kept and cannot be had again", call.id());
      }
    } catch (LedgerUnavailable | AnswerTooLarge e) {
      LOG.error("Payment {}: its answer was not kept and cannot be had again", call.id(), e);
    }
  }

  /**
   * Gives back what was paid for a stream that failed before its first byte: it is not kept, and
   * its method does not run again for this payment. What may be asked for again is not given back.
   */
  void unbegun(PaidCall call) {
    if (call.settledEarly() || call.redelivery() != Redelivery.STORED) {
      return;
    }
    try {
      RefundResult result =
          ledger.refunds().ask(call.claim().id(), OptionalLong.empty(), UNBEGUN, UNBEGUN_KEY);
      if (result instanceof RefundResult.NotSettled) {
        // Its transaction is on its way: the reconciler refunds it once that is final.
        Effects effects = ledger.effects();
        Effect stream = effects.begin(call.use(), Effects.UNBEGUN, "");
        effects.close(stream, Ending.notDone(UNBEGUN), Effects.Along.NOTHING);
      } else if (!(result instanceof RefundResult.Noted)) {
        LOG.error("Payment {}: {}, and it is not refunded: {}", call.id(), UNBEGUN, result);
      }
    } catch (LedgerUnavailable e) {
      LOG.error("Payment {}: {}, and it is not refunded", call.id(), UNBEGUN, e);
    }
  }

  /**
   * Makes the payment usable again, unless it has settled or belongs to another call by now.
   *
   * @return whether this call made it so
   */
  boolean giveBack(Chargeable call, ReleaseReason why) {
    long began = System.nanoTime();
    try {
      boolean released = ledger.release(call.claim(), why);
      if (released) {
        steps.released(call, began);
      }
      return released;
    } catch (LedgerUnavailable e) {
      LOG.warn("Payment {} stays reserved until the ledger closes it", call.id(), e);
      return false;
    }
  }

  /** Notes once that the answer that was paid for did not arrive, so that a repeat may have it. */
  void undelivered(PaidCall call) {
    if (call.settlesWhatItOwes()) {
      ledger.unanswered(call.claim());
    }
  }

  /** Lets the method of a payment run again, which may have settled and has no answer. */
  void unanswered(PaidCall call) {
    var unused = call.settlesWhatItOwes();
    ledger.unanswered(call.claim());
  }

  /** Takes the claim from a call that no response filter concluded. */
  void abandon(PaidCall call) {
    LOG.warn("{} did not end in time for payment {}", call.endpoint().name(), call.id());
    if (call.owes()) {
      if (call.isRerun() || !call.settledEarly()) {
        undelivered(call);
      }
      // Otherwise the method is at work on an effect that was paid for, and keeps its turn.
    } else if (call.owesItsUse()) {
      settleUse(call);
    } else {
      giveBack(
          call,
          new ReleaseReason(
              null, "The call did not end in time", call.incoming().failure().upstream()));
    }
    call.incoming().close();
  }

  /** Notes once that the answer that was paid for has left. */
  void delivered(PaidCall call) {
    if (call.settlesWhatItOwes()) {
      ledger.delivered(call.claim());
    }
  }

  /**
   * Settles a stream that has left, at most once. What cannot be settled now is settled later, by
   * any node, as long as the payment lives; after that it is a loss in the books.
   */
  Settlement settleDelivered(PaidCall call) {
    Facilitator facilitator = facilitator(call.network());
    if (facilitator.settlesInLedger() || call.verified().byKey().isPresent()) {
      return settle(call, Optional.empty());
    }
    long began = System.nanoTime();
    Settlement outcome = LOST;
    try {
      outcome = delivered(facilitator, call);
    } catch (LedgerUnavailable e) {
      LOG.error("Payment {} of a stream that was delivered cannot be settled", call.id(), e);
    }
    steps.settled(call, outcome, began);
    return call.settled(outcome);
  }

  /**
   * Has a stream that takes too long, such as for a reader who does not read, settled: a ceiling by
   * any node, what a key pays here. The payment lives long enough for that, but for no more of the
   * stream.
   */
  private void settleUse(PaidCall call) {
    boolean byKey = call.verified().byKey().isPresent();
    if (byKey || facilitator(call.network()).settlesInLedger()) {
      var unused = settle(call, Optional.empty());
      delivered(call);
      return;
    }
    try {
      if (owes(call, Duration.ZERO)) {
        ledger.delivered(call.claim());
      }
    } catch (LedgerUnavailable e) {
      LOG.error("Payment {} of a stream that was delivered cannot be settled", call.id(), e);
    }
  }

  /** Writes down what a stream has used, and how that is settled. */
  private boolean owes(PaidCall call, Duration alone) {
    Claim claim = call.claim();
    VerifiedPayment owed = call.verified().charging(call.charge());
    String order = new SettlementOrder(owed.payload(), owed.terms()).text();
    ledger.deferredSettlements().keep(claim, order, clock.instant().plus(alone));
    ledger.charge(claim, call.charge().micros());
    return ledger.settlingDelivered(claim);
  }

  private Settlement delivered(Facilitator facilitator, PaidCall call) {
    Claim claim = call.claim();
    if (!owes(call, DEFERRED)) {
      return LOST;
    }
    Settlement outcome = send(facilitator, call, call.verified().charging(call.charge()));
    if (outcome instanceof Settlement.Settled || outcome instanceof Settlement.Refused) {
      return recorded(claim, outcome);
    }
    if (outcome.deliverable().isEmpty()) {
      // What holds the payment now is its settlement, which is another node's as well.
      ledger.delivered(claim);
    }
    return outcome;
  }

  private Settlement atOnce(Chargeable call, Supplier<Settlement> commit) {
    try {
      ledger.charge(call.claim(), call.charge().micros());
      return commit.get();
    } catch (LedgerUnavailable e) {
      if (e.isNothingDone()) {
        return busy(call);
      }
      LOG.error("Payment {}: the ledger did not answer during settlement", call.id(), e);
      return new Settlement.Unknown("ledger_unavailable", null);
    }
  }

  /** Notes that the payment is about to be sent; what speaks against it, if anything. */
  private Optional<Settlement> hindrance(Chargeable call, @Nullable StoredAnswer answer) {
    try {
      ledger.charge(call.claim(), call.charge().micros());
      return ledger.settling(call.claim(), answer) ? Optional.empty() : Optional.of(LOST);
    } catch (LedgerUnavailable e) {
      if (e.isNothingDone()) {
        return Optional.of(busy(call));
      }
      LOG.error("Payment {}: the ledger did not answer before settlement", call.id(), e);
      return Optional.of(LOST);
    }
  }

  private static Settlement busy(Chargeable call) {
    LOG.warn("Payment {} was not settled: the ledger did not come to it in time", call.id());
    return BUSY;
  }

  private static Settlement send(Facilitator facilitator, Chargeable call, VerifiedPayment sent) {
    try {
      return facilitator.settle(sent.payload(), sent.terms(), call.claim().attemptName());
    } catch (RuntimeException | Error e) {
      // Whatever broke, something may have been sent: it must not look like a call under way.
      LOG.error("Payment {}: the facilitator failed during settlement", call.id(), e);
      return new Settlement.Unknown("facilitator_failed", null);
    }
  }

  private Settlement recorded(Claim claim, Settlement outcome) {
    try {
      return ledger.settled(claim, outcome) ? outcome : LOST;
    } catch (LedgerUnavailable e) {
      // The outcome itself is certain; the ledger will find it on the chain, from SETTLING.
      LOG.error("Payment {}: {} could not be written down", claim.id(), outcome, e);
      return outcome;
    }
  }
}
