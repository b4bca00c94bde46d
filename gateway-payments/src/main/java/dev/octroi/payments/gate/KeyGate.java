package dev.octroi.payments.gate;

import dev.octroi.payments.Admission;
import dev.octroi.payments.Usd;
import dev.octroi.payments.account.ApiKey;
import dev.octroi.payments.facilitator.Verification;
import dev.octroi.payments.ledger.ClaimResult;
import dev.octroi.payments.ledger.Ledger;
import dev.octroi.payments.ledger.LedgerUnavailable;
import dev.octroi.payments.x402.NothingOffered;
import dev.octroi.payments.x402.PaymentPayload;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Pays for calls that come with an API key, out of their accounts' wallets: signs as a payer would,
 * and goes the way of every payment from there. Thread-safe.
 */
final class KeyGate {

  /** A payment of a managed wallet, verified; every refusal means that this wallet cannot pay. */
  private record Signed(PaymentPayload payload, Verification verification) {

    @Nullable String reason() {
      if (verification instanceof Verification.Invalid invalid) {
        return invalid.reason();
      }
      return verification instanceof Verification.Late late ? late.reason() : null;
    }

    Verification.Valid payment() {
      return (Verification.Valid) verification;
    }
  }

  private static final Logger LOG = LoggerFactory.getLogger(KeyGate.class);

  private final KeyDesk desk;
  private final KeyPurse purse;
  private final Callers callers;
  private final Admission admission;
  private final Ledger ledger;
  private final Settler settler;
  private final Refusals refusals;
  private final Trust trust;

  KeyGate(GateSettings settings, KeyDesk desk, KeyPurse purse, Settler settler, Refusals refusals) {
    this.desk = desk;
    this.purse = purse;
    this.callers = settings.callers();
    this.admission = settings.admission();
    this.ledger = settings.ledger();
    this.settler = settler;
    this.refusals = refusals;
    this.trust = new Trust(settler, settings.unsettledPerPayer());
  }

  /**
   * Pays and hands on what the ledger said; a wallet that is short gives way to the next one.
   * Throws {@link Refusal} where the key may not make the call, or no wallet can pay for it.
   */
  void pay(
      IncomingCall call,
      PricedMethod method,
      ApiKey key,
      Usd price,
      BiConsumer<ClaimResult, PaidCall.Start> begin) {
    desk.permit(key, call.context(), price);
    call.occupy(
        admission.paid(
            call.context(), new Admission.Caller(key.id().toString(), key.requestsPerMinute())));
    String shortOf = null;
    for (KeyCall way : ways(call, key, price)) {
      Signed signed = signed(way);
      String reason = signed.reason();
      if (reason == null) {
        Agreement agreement = agreement(way, signed, price);
        ClaimResult result = claim(call, method, agreement);
        if (!(result instanceof ClaimResult.Insufficient) || agreement.trusted().isPresent()) {
          begin.accept(result, new PaidCall.Start(call, method, agreement, method.redelivery()));
          return;
        }
        reason = Refusals.insufficient(way.offer());
      }
      LOG.debug("Wallet {} cannot pay: {}", way.wallet(), reason);
      shortOf = shortOf == null ? reason : shortOf;
    }
    String reason = shortOf == null ? Refusals.NO_FUNDS : shortOf;
    throw new Refusal(refusals.invalid(call.context(), price, reason));
  }

  private ClaimResult claim(IncomingCall call, PricedMethod method, Agreement agreement) {
    desk.requireServed(call.context(), agreement);
    ClaimResult result =
        ledger.claim(
            agreement.claim(
                call.binding(),
                method.redelivery(),
                callers.origin(call.context(), agreement.key())));
    if (result instanceof ClaimResult.OverBudget over) {
      throw new Refusal(desk.overLimit(over.limit()));
    }
    return result;
  }

  private Agreement agreement(KeyCall way, Signed signed, Usd price) {
    return new Agreement(
        price,
        signed.payload(),
        way.offer(),
        signed.payment(),
        AnswerForm.CURRENT,
        trust.in(way.offer(), signed.payment()),
        null,
        Optional.of(way));
  }

  private List<KeyCall> ways(IncomingCall call, ApiKey key, Usd price) {
    try {
      return purse.ways(key, price, refusals.resource(call.context()));
    } catch (NothingOffered e) {
      return List.of();
    } catch (LedgerUnavailable e) {
      throw e;
    } catch (RuntimeException e) {
      throw unable(key, e);
    }
  }

  private Signed signed(KeyCall way) {
    try {
      PaymentPayload payload = way.payment();
      return new Signed(
          payload, settler.facilitator(way.offer().network()).verify(payload, way.offer()));
    } catch (LedgerUnavailable e) {
      throw e;
    } catch (RuntimeException e) {
      throw unable(way.key(), e);
    }
  }

  private static Refusal unable(ApiKey key, RuntimeException cause) {
    LOG.error("A call of key {} cannot be paid", key.id(), cause);
    return new Refusal(FlatErrors.busy("The payment cannot be made at the moment."));
  }
}
