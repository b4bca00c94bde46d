package dev.octroi.payments.gate;

import dev.octroi.payments.Admission;
import dev.octroi.payments.PriceQuote;
import dev.octroi.payments.Prices;
import dev.octroi.payments.Redelivery;
import dev.octroi.payments.Settle;
import dev.octroi.payments.Usd;
import dev.octroi.payments.account.ApiKey;
import dev.octroi.payments.facilitator.Settlement;
import dev.octroi.payments.ledger.CallOrigin;
import dev.octroi.payments.ledger.Claim;
import dev.octroi.payments.ledger.ClaimRequest;
import dev.octroi.payments.ledger.ClaimResult;
import dev.octroi.payments.ledger.LedgerUnavailable;
import dev.octroi.payments.x402.MalformedPayment;
import dev.octroi.payments.x402.PaymentPayload;
import jakarta.ws.rs.WebApplicationException;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.core.Response;
import java.time.Clock;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The request side of a paid call: decides whether its method runs. Thread-safe.
 *
 * <p>{@link #pass} is the whole flow, in its order.
 */
final class PaymentGate {

  private static final Logger LOG = LoggerFactory.getLogger(PaymentGate.class);

  private final Settler settler;
  private final PaymentVerifier terms;
  private final Prices prices;
  private final Admission admission;
  private final Clock clock;
  private final CallLimits limits;
  private final BodyBuffer bodies;
  private final Refusals refusals;
  private final OpenCalls openCalls;
  private final Replays replays;
  private final Callers callers;
  private final ApiKeyAuthenticator authenticator;
  private final Optional<ManagedWalletPayment> keys;
  private final DeferredGate deferred;

  PaymentGate(
      GateSettings settings,
      BodyBuffer bodies,
      Settler settler,
      Refusals refusals,
      OpenCalls openCalls,
      Replays replays,
      Optional<WalletPayments> wallets) {
    this.replays = replays;
    this.settler = settler;
    this.terms = new PaymentVerifier(settings, settler, refusals);
    this.prices = settings.prices();
    this.admission = settings.admission();
    this.clock = settings.clock();
    this.limits = settings.limits();
    this.bodies = bodies;
    this.refusals = refusals;
    this.openCalls = openCalls;
    this.callers = settings.callers();
    this.authenticator = new ApiKeyAuthenticator(callers, admission);
    this.keys =
        wallets.map(paying -> new ManagedWalletPayment(settings, authenticator, paying, refusals));
    this.deferred =
        new DeferredGate(settings, settler, terms, authenticator, keys, refusals, this::begin);
  }

  /** Lets the method run, under a claim or for nothing, or answers in its place. */
  void admit(ContainerRequestContext request, PricedMethod method) {
    IncomingCall call = new IncomingCall(request, bodies, admission);
    CallProperties.gated(request, call);
    boolean admitted = false;
    try {
      pass(call, method);
      admitted = true;
    } catch (Refusal refusal) {
      request.abortWith(refusal.response());
    } catch (MalformedPayment e) {
      request.abortWith(FlatErrors.of(400, String.valueOf(e.getMessage())));
    } catch (LedgerUnavailable e) {
      request.abortWith(unavailable(method, e));
    } finally {
      if (!admitted) {
        call.refuse();
      }
    }
  }

  private static Response unavailable(PricedMethod method, LedgerUnavailable why) {
    if (why.isNothingDone()) {
      return FlatErrors.retry(
          429,
          "Too many payments at the moment; nothing was charged. Send the same request with the"
              + " same payment again.");
    }
    LOG.error("The ledger did not answer; a call of {} was refused", method.name(), why);
    return FlatErrors.busy("Payments cannot be taken at the moment.");
  }

  /** The whole flow before the method. Throws {@link Refusal} where the method does not run. */
  private void pass(IncomingCall call, PricedMethod method) {
    requireNotHead(call);
    Optional<PaymentHeader> header = PaymentHeader.of(call.context().getHeaders());
    // A key and a payment together: the payment pays.
    Optional<ApiKey> key =
        header.isPresent() ? Optional.empty() : authenticator.key(call.context());
    if (header.isEmpty() && key.isEmpty()) {
      admission.unpaid(call.context());
    } else if (settler.ledger().isBusy()) {
      // A crowd is told so before each of its payments is looked at.
      throw LedgerUnavailable.nothingDone("the ledger is busy");
    }
    Usd list = method.tariff().price(call);
    if (method.settle() == Settle.LATER) {
      deferred.pass(call, method, header, key);
      return;
    }
    PriceQuote quote = prices.quote(call, list, key.map(ApiKey::id).map(UUID::toString));
    Usd price = quote.price();
    if (price.isZero()) {
      return;
    }
    if (header.isPresent()) {
      payBySignature(call, method, header.get(), quote);
    } else if (key.isPresent() && keys.isPresent()) {
      keys.get().pay(call, method, key.get(), price, this::begin);
    } else {
      throw new Refusal(refusals.unpaid(call.context(), price));
    }
  }

  private void payBySignature(
      IncomingCall call, PricedMethod method, PaymentHeader header, PriceQuote quote) {
    PaymentPayload payload = header.read();
    AnswerForm form = new AnswerForm(header.older(), payload.x402Version() == 1);
    Optional<String> identifier = replays.identifier(payload);
    identifier.ifPresent(given -> answerAgain(call, payload, form, given));
    VerifiedPayment verified = terms.agreed(call, payload, form, quote);
    authenticator.requireServed(call.context(), verified);
    call.occupy(admission.paid(call.context(), Admission.Caller.payer(verified.payer().payer())));
    // What may be asked for by its identifier is kept, although it could be read again.
    Redelivery redelivery =
        identifier.isPresent() && method.redelivery() == Redelivery.REREAD
            ? Redelivery.STORED
            : method.redelivery();
    CallOrigin origin = callers.origin(call.context(), Optional.empty());
    ClaimRequest request =
        verified.claim(call.binding(), redelivery, origin).identifiedBy(identifier);
    // The claim is the security argument: one row, unique by network, payer and nonce, durable
    // before any work is done. Of any number of requests that carry this payment, on any node, one
    // at a time is Claimed, and from settlement on only for the request that the row is bound to.
    // A payment whose time is over claims nothing, yet an answer that it paid for is still owed.
    ClaimResult result =
        verified.lateFor() == null ? settler.claim(request) : bought(request, verified);
    begin(result, new PaidCall.Start(call, method, verified, redelivery));
  }

  /** Ends the call if the identifier has an answer already; such asking brings no money. */
  private void answerAgain(
      IncomingCall call, PaymentPayload payload, AnswerForm form, String identifier) {
    Optional<Response> known = replays.known(call, payload, form, identifier);
    if (known.isPresent()) {
      admission.unpaid(call.context());
      throw new Refusal(known.get());
    }
  }

  /** What a payment that is too late has bought before; if nothing, it is why it is too late. */
  private ClaimResult bought(ClaimRequest request, VerifiedPayment verified) {
    ClaimResult result = settler.redeliver(request);
    return result instanceof ClaimResult.Failed && verified.lateFor() != null
        ? new ClaimResult.Failed(verified.lateFor())
        : result;
  }

  private static void requireNotHead(IncomingCall call) {
    if (CallProperties.isHead(call.context())) {
      throw new Refusal(FlatErrors.headNotAllowed());
    }
  }

  private void begin(ClaimResult result, PaidCall.Start start) {
    if (result instanceof ClaimResult.Claimed claimed) {
      Instant validBefore = start.verified().payer().validBefore();
      open(start, claimed.claim(), CallTime.of(clock.instant(), limits.call(), validBefore));
    } else if (result instanceof ClaimResult.Rerun rerun) {
      PaidCall call = reopen(start, rerun.claim(), rerun.transaction());
      call.runsAgain();
      if (start.redelivery() == Redelivery.RESUMED) {
        // Its answer is new, and kept before it leaves.
        call.settlesEarly();
      }
    } else if (result instanceof ClaimResult.Replay replay) {
      reopen(start, replay.claim(), replay.transaction());
      start.incoming().context().abortWith(Answers.restored(replay.answer()));
    } else if (result instanceof ClaimResult.Insufficient
        && start.verified().trusted().isPresent()) {
      throw new Refusal(FlatErrors.retry(429, "Too much of this payer is unsettled at once."));
    } else {
      throw new Refusal(refusals.unclaimed(result, start.incoming().context(), start.verified()));
    }
  }

  private PaidCall reopen(PaidCall.Start start, Claim claim, String transaction) {
    CallTime time = CallTime.afterCharge(clock.instant(), limits.call());
    PaidCall call = open(start, claim, time);
    call.settled(new Settlement.Settled(transaction));
    return call;
  }

  private PaidCall open(PaidCall.Start start, Claim claim, CallTime time) {
    PaidCall call = new PaidCall(start, claim, time, this::settleNow);
    CallProperties.begin(start.incoming().context(), call);
    openCalls.open(call);
    return call;
  }

  private void settleNow(PaidCall call) {
    Settlement outcome = settler.settleNow(call);
    if (outcome.deliverable().isEmpty()) {
      throw new WebApplicationException(refusals.unsettled(call, outcome));
    }
  }
}
