package dev.octroi.payments.gate;

import dev.octroi.payments.Admission;
import dev.octroi.payments.Usd;
import dev.octroi.payments.account.ApiKey;
import dev.octroi.payments.ledger.ClaimResult;
import dev.octroi.payments.ledger.LedgerUnavailable;
import java.util.List;
import java.util.function.BiConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Pays for calls that come with an API key, out of their accounts' wallets: signs as a payer would,
 * and goes the way of every payment from there. Thread-safe.
 */
final class ManagedWalletPayment {

  private static final Logger LOG = LoggerFactory.getLogger(ManagedWalletPayment.class);

  private final ApiKeyAuthenticator authenticator;
  private final Callers callers;
  private final Admission admission;
  private final Refusals refusals;
  private final WalletPayments wallets;

  ManagedWalletPayment(
      GateSettings settings,
      ApiKeyAuthenticator authenticator,
      WalletPayments wallets,
      Refusals refusals) {
    this.authenticator = authenticator;
    this.wallets = wallets;
    this.callers = settings.callers();
    this.admission = settings.admission();
    this.refusals = refusals;
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
    authenticator.permit(key, call.context(), price);
    call.occupy(
        admission.paid(
            call.context(), new Admission.Caller(key.id().toString(), key.requestsPerMinute())));
    String shortOf = null;
    for (KeyCall way : ways(call, key, price)) {
      WalletPayments.Signed signed = signed(way);
      String reason = signed.reason();
      if (reason == null) {
        VerifiedPayment verified = wallets.verified(signed, price);
        ClaimResult result = claim(call, method, verified);
        if (!(result instanceof ClaimResult.Insufficient) || verified.trusted().isPresent()) {
          begin.accept(result, new PaidCall.Start(call, method, verified, method.redelivery()));
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

  private ClaimResult claim(IncomingCall call, PricedMethod method, VerifiedPayment verified) {
    authenticator.requireServed(call.context(), verified);
    ClaimResult result =
        wallets
            .settler()
            .claim(
                verified.claim(
                    call.binding(),
                    method.redelivery(),
                    callers.origin(call.context(), verified.key())));
    if (result instanceof ClaimResult.OverBudget over) {
      throw new Refusal(authenticator.overLimit(over.limit()));
    }
    return result;
  }

  private List<KeyCall> ways(IncomingCall call, ApiKey key, Usd price) {
    try {
      return wallets.ways(key, price, refusals.resource(call.context()));
    } catch (LedgerUnavailable e) {
      throw e;
    } catch (RuntimeException e) {
      throw unable(key, e);
    }
  }

  private WalletPayments.Signed signed(KeyCall way) {
    try {
      return wallets.signed(way);
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
