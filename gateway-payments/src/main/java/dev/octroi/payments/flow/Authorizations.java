package dev.octroi.payments.flow;

import dev.octroi.payments.Admission;
import dev.octroi.payments.CallRefused;
import dev.octroi.payments.Deferral;
import dev.octroi.payments.Usd;
import dev.octroi.payments.account.ApiKey;
import dev.octroi.payments.x402.PaymentEnvelopes;
import dev.octroi.payments.x402.PaymentPayload;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Finds how a call is authorized, and challenges one that is not. Thread-safe. */
final class Authorizations {

  private final ApiKeyAuthenticator authenticator;
  private final Optional<ManagedWallets.Payers> wallets;
  private final PaymentVerifier verifier;
  private final Replays replays;
  private final Refusals refusals;
  private final Admission admission;
  private final Buyers buyers;

  Authorizations(
      FlowSettings settings,
      Settler settler,
      Refusals refusals,
      Receipts receipts,
      ApiKeyAuthenticator authenticator) {
    Trust trust = new Trust(settler, settings.unsettledPerPayer());
    this.authenticator = authenticator;
    this.refusals = refusals;
    this.admission = settings.admission();
    this.buyers = new Buyers(settings.ledger());
    this.verifier = new PaymentVerifier(settings, settler, refusals, trust, buyers);
    this.replays = new Replays(settings.ledger(), settings.protocol().identifiers(), receipts);
    this.wallets =
        settings
            .callers()
            .accounts()
            .map(accounts -> new PaymentSources(accounts, settings.offers()))
            .map(sources -> new ManagedWallets.Payers(sources, settler, trust));
  }

  /** What managed wallets pay with; empty where calls by API key are not taken. */
  Optional<ManagedWallets.Payers> wallets() {
    return wallets;
  }

  /**
   * How this call is authorized. Throws {@link CallRefused}: with a challenge where it is not, or
   * its payment buys nothing; with 403 where its key may not make it.
   */
  Authorization of(IncomingCall call, Credentials credentials, Due due) {
    if (credentials.header().isPresent()) {
      PaymentHeader header = credentials.header().get();
      PaymentPayload payload = header.read();
      AnswerForm form = new AnswerForm(header.older(), payload.x402Version() == 1);
      return due.work().isPresent()
          ? ordered(call, payload, form, due, due.work().get())
          : signed(call, payload, form, due);
    }
    if (credentials.key().isPresent() && wallets.isPresent()) {
      ApiKey key = credentials.key().get();
      authenticator.permit(key, call.exchange(), due.price());
      return new ManagedWallets(
          wallets.get(), key, due.price(), refusals.resource(call.exchange()));
    }
    throw new CallRefused(refusals.unpaid(call.exchange(), due.price()));
  }

  private Authorization signed(
      IncomingCall call, PaymentPayload payload, AnswerForm form, Due due) {
    Optional<String> identifier = replays.identifier(payload);
    identifier
        .flatMap(given -> replays.known(call, payload, form, given))
        .ifPresent(
            known -> {
              // Such asking brings no money.
              admission.unpaid(call.exchange());
              throw new CallRefused(known);
            });
    return new PayerSignature(verifier.verified(call, payload, form, due.quote()), identifier);
  }

  /**
   * A caller who has the order's own payment header is its owner, whether or not that is good any
   * more: the owner sent it to this gateway alone.
   */
  private Authorization ordered(
      IncomingCall call, PaymentPayload payload, AnswerForm form, Due due, Deferral work) {
    Optional<PaymentPayload> submitted = work.submitted().map(PaymentEnvelopes::read);
    boolean same =
        submitted.filter(it -> Arrays.equals(it.envelope(), payload.envelope())).isPresent();
    Optional<VerifiedPayment> own =
        same ? Optional.empty() : Optional.of(verifier.verified(call, payload, form, due.quote()));
    String owner = own.map(payment -> payment.payer().payer()).orElse(work.owner());
    if (!due.isPayable() || !owner.equals(work.owner())) {
      return new OrderedWork(owner, List.of(), "");
    }
    Usd price = due.price();
    Optional<VerifiedPayment> first =
        submitted.flatMap(order -> verifier.ordered(order, form, price));
    Optional<VerifiedPayment> second = own.or(() -> before(payload, form, price));
    String reason = first.isEmpty() && second.isEmpty() ? verifier.lateFor(payload, price) : "";
    return new OrderedWork(
        owner, Stream.of(first, second).flatMap(Optional::stream).toList(), reason);
  }

  /** The order's payment may have been taken in its time, and be in doubt or owed an answer. */
  private Optional<VerifiedPayment> before(PaymentPayload payload, AnswerForm form, Usd price) {
    return buyers
        .same(payload)
        .map(
            purchase ->
                VerifiedPayment.before(
                    purchase, price, payload, form, verifier.lateFor(payload, price)));
  }
}
