package dev.octroi.payments.gate;

import dev.octroi.payments.Admission;
import dev.octroi.payments.Deferral;
import dev.octroi.payments.PriceQuote;
import dev.octroi.payments.account.ApiKey;
import dev.octroi.payments.ledger.ClaimRequest;
import dev.octroi.payments.ledger.ClaimResult;
import dev.octroi.payments.ledger.PaymentStatus;
import dev.octroi.payments.x402.PaymentEnvelopes;
import dev.octroi.payments.x402.PaymentPayload;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.BiConsumer;

/**
 * The gate before methods that are paid for {@linkplain dev.octroi.payments.Settle#LATER later}:
 * lets the owner of the work in, for nothing until it is done, and has it paid for once.
 * Thread-safe.
 *
 * <p>That no two payments settle for one work is the method's doing, which takes the work for its
 * payment before it settles; here the caller is not asked for a second one while the first may
 * still pay (money rule 9).
 */
final class DeferredGate {

  private final PaymentVerifier terms;
  private final ApiKeyAuthenticator authenticator;
  private final Optional<ManagedWalletPayment> keys;
  private final Refusals refusals;
  private final BiConsumer<ClaimResult, PaidCall.Start> begin;
  private final Settler settler;
  private final Admission admission;
  private final Callers callers;
  private final Buyers buyers;

  DeferredGate(
      GateSettings settings,
      Settler settler,
      PaymentVerifier terms,
      ApiKeyAuthenticator authenticator,
      Optional<ManagedWalletPayment> keys,
      Refusals refusals,
      BiConsumer<ClaimResult, PaidCall.Start> begin) {
    this.terms = terms;
    this.authenticator = authenticator;
    this.keys = keys;
    this.refusals = refusals;
    this.begin = begin;
    this.settler = settler;
    this.admission = settings.admission();
    this.callers = settings.callers();
    this.buyers = new Buyers(settings.ledger());
  }

  /** The flow before the method. Throws {@link Refusal} where the method does not run. */
  void pass(
      IncomingCall call,
      PricedMethod method,
      Optional<PaymentHeader> header,
      Optional<ApiKey> key) {
    Deferral work =
        call.noted(Deferral.class)
            .orElseThrow(
                () -> new IllegalStateException(method.name() + ": its tariff noted no Deferral"));
    if (header.isPresent()) {
      passPayer(call, method, header.get(), work);
    } else if (key.isPresent() && keys.isPresent()) {
      passKey(call, method, key.get(), keys.get(), work);
    } else {
      requireDecided(active(work));
      throw new Refusal(refusals.unpaid(call.context(), work.price()));
    }
  }

  private void passKey(
      IncomingCall call,
      PricedMethod method,
      ApiKey key,
      ManagedWalletPayment gate,
      Deferral work) {
    authenticator.permit(key, call.context(), work.price());
    requireOwner(work, Deferral.owner(key.account().toString()));
    if (isPayable(work)) {
      gate.pay(call, method, key, work.price(), begin);
    } else {
      call.occupy(
          admission.paid(
              call.context(), new Admission.Caller(key.id().toString(), key.requestsPerMinute())));
    }
  }

  /**
   * A caller who has the order's own payment header is its owner, whether or not that is good any
   * more: the owner sent it to this gateway alone.
   */
  private void passPayer(
      IncomingCall call, PricedMethod method, PaymentHeader header, Deferral work) {
    PaymentPayload payload = header.read();
    AnswerForm form = new AnswerForm(header.older(), payload.x402Version() == 1);
    Optional<PaymentPayload> submitted = work.submitted().map(PaymentEnvelopes::read);
    boolean same =
        submitted.filter(it -> Arrays.equals(it.envelope(), payload.envelope())).isPresent();
    Optional<VerifiedPayment> own =
        same
            ? Optional.empty()
            : Optional.of(terms.agreed(call, payload, form, PriceQuote.of(work.price())));
    String owner = own.map(agreed -> agreed.payer().payer()).orElse(work.owner());
    requireOwner(work, owner);
    call.occupy(admission.paid(call.context(), Admission.Caller.payer(owner)));
    if (isPayable(work)) {
      Optional<VerifiedPayment> first =
          submitted.flatMap(order -> terms.ordered(order, form, work.price()));
      Optional<VerifiedPayment> second = own.or(() -> before(payload, form, work));
      if (first.isEmpty() && second.isEmpty()) {
        String reason = terms.lateFor(payload, work.price());
        throw new Refusal(refusals.invalid(call.context(), work.price(), reason));
      }
      pay(call, method, first, second);
    }
  }

  /** Pays with what the work was ordered with, and with the poll's own where that will not do. */
  private void pay(
      IncomingCall call,
      PricedMethod method,
      Optional<VerifiedPayment> first,
      Optional<VerifiedPayment> second) {
    if (first.isPresent()) {
      ClaimResult result = claim(call, method, first.get());
      if (second.isEmpty() || decides(result)) {
        begin(call, method, first.get(), result);
        return;
      }
    }
    VerifiedPayment agreed = second.orElseThrow();
    begin(call, method, agreed, claim(call, method, agreed));
  }

  private void begin(
      IncomingCall call, PricedMethod method, VerifiedPayment agreed, ClaimResult result) {
    begin.accept(result, new PaidCall.Start(call, method, agreed, method.redelivery()));
  }

  private ClaimResult claim(IncomingCall call, PricedMethod method, VerifiedPayment agreed) {
    authenticator.requireServed(call.context(), agreed);
    ClaimRequest request =
        agreed.claim(
            call.binding(), method.redelivery(), callers.origin(call.context(), Optional.empty()));
    if (agreed.lateFor() == null) {
      return settler.claim(request);
    }
    ClaimResult bought = settler.redeliver(request);
    return bought instanceof ClaimResult.Failed ? new ClaimResult.Failed(agreed.lateFor()) : bought;
  }

  /**
   * Whether the order's payment is used now, or may be by somebody else: then it is no other's
   * turn.
   */
  private static boolean decides(ClaimResult result) {
    return result instanceof ClaimResult.Claimed
        || result instanceof ClaimResult.Replay
        || result instanceof ClaimResult.Rerun
        || result instanceof ClaimResult.InFlight
        || result instanceof ClaimResult.InDoubt;
  }

  /** The order's payment may have been taken in its time, and be in doubt or owed an answer. */
  private Optional<VerifiedPayment> before(PaymentPayload payload, AnswerForm form, Deferral work) {
    return buyers
        .same(payload)
        .map(
            purchase ->
                VerifiedPayment.before(
                    purchase, work.price(), payload, form, terms.lateFor(payload, work.price())));
  }

  private boolean isPayable(Deferral work) {
    Optional<PaymentStatus> active = active(work);
    requireDecided(active);
    return work.due()
        && !work.price().isZero()
        && active.filter(paymentStatus -> paymentStatus != PaymentStatus.DEAD).isEmpty();
  }

  /** Where the payment stands that work which is done has; empty if it has none. */
  private Optional<PaymentStatus> active(Deferral work) {
    return work.due()
        ? work.active().map(settler.ledger().paymentStatuses()::of)
        : Optional.empty();
  }

  /** Throws {@link Refusal} with 503 while the work's payment may still pay. */
  private static void requireDecided(Optional<PaymentStatus> active) {
    if (active.filter(paymentStatus -> paymentStatus == PaymentStatus.OPEN).isPresent()) {
      throw new Refusal(Refusals.doubtful());
    }
  }

  private void requireOwner(Deferral work, String owner) {
    if (!work.owner().equals(owner)) {
      throw new Refusal(callers.errors().answer(404, "not_found", "There is no such work."));
    }
  }
}
