package dev.octroi.payments.flow;

import dev.octroi.payments.Admission;
import dev.octroi.payments.CallRefused;
import dev.octroi.payments.Deferral;
import dev.octroi.payments.Entitlement;
import dev.octroi.payments.HttpAnswer;
import dev.octroi.payments.PriceQuote;
import dev.octroi.payments.SignedInWallet;
import dev.octroi.payments.Usd;
import dev.octroi.payments.account.ApiKey;
import dev.octroi.payments.flow.PaymentFlow.Credentials;
import dev.octroi.payments.ledger.ClaimResult;
import dev.octroi.payments.ledger.PaymentStatuses.PaymentStatus;
import dev.octroi.payments.x402.OfferedPrice;
import dev.octroi.payments.x402.PaymentPayload;
import java.util.Arrays;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
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
  private final Credit credit;
  private final Optional<SignIns> signIns;

  Authorizations(
      FlowSettings settings,
      Settler settler,
      Refusals refusals,
      Receipts receipts,
      ApiKeyAuthenticator authenticator,
      Credit credit) {
    this.authenticator = authenticator;
    this.refusals = refusals;
    this.admission = settings.admission();
    this.credit = credit;
    this.signIns =
        settings.protocol().signIn() ? Optional.of(new SignIns(settings)) : Optional.empty();
    this.verifier = new PaymentVerifier(settings, settler, refusals);
    this.replays = new Replays(settings, receipts);
    this.wallets =
        settings
            .callers()
            .accounts()
            .map(accounts -> new ManagedWallets.Payers(accounts, settings.offers(), settler));
  }

  /** What managed wallets pay with; empty where calls by API key are not taken. */
  Optional<ManagedWallets.Payers> wallets() {
    return wallets;
  }

  /** Lets payers sign in with their wallets; empty where they cannot. */
  Optional<SignIns> signIns() {
    return signIns;
  }

  /**
   * How this call is authorized. Throws {@link CallRefused}: with a challenge where it is not, or
   * its payment buys nothing; with 403 where its key may not make it.
   */
  Authorization of(IncomingCall call, Credentials credentials, Due due) {
    if (credentials.header().isPresent() && credentials.payload().isPresent()) {
      PaymentHeader header = credentials.header().get();
      PaymentPayload payload = credentials.payload().get();
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
    if (signIns.isPresent() && SignIns.isTried(call.exchange())) {
      return signedIn(call, due, signIns.get());
    }
    throw unpaid(call, due);
  }

  /** Who pays, where the payment is good for what it says that it pays; empty where it is not. */
  Optional<Admission.Caller> payer(IncomingCall call, PaymentPayload payload) {
    return verifier.payer(call, payload).map(Admission.Caller::payer);
  }

  private CallRefused unpaid(IncomingCall call, Due due) {
    return new CallRefused(refusals.unpaid(call.exchange(), call.offered(due.price())));
  }

  private Authorization signedIn(IncomingCall call, Due due, SignIns signing) {
    try {
      return reader(call, due, signing, signing.verified(call.exchange()));
    } catch (SignIns.Invalid e) {
      throw new CallRefused(
          refusals.notSignedIn(call.exchange(), call.offered(due.price()), e.code()));
    }
  }

  /**
   * Shows a wallet what it has paid for, and challenges it for all else. Its nonce is used up where
   * something is shown, so that a wallet that has paid for nothing writes nothing down.
   */
  private Authorization reader(IncomingCall call, Due due, SignIns signing, SignIns.SignIn signIn)
      throws SignIns.Invalid {
    SignedInReader reader = new SignedInReader(signIn.wallet());
    if (due.work().isPresent()) {
      boolean owned = due.work().get().owner().equals(reader.owner());
      if (owned && !due.isPayable()) {
        signing.use(signIn);
        return reader;
      }
      signing.nothingBought();
      if (owned) {
        throw unpaid(call, due);
      }
      return reader;
    }
    if (isEntitled(call, reader)) {
      signing.use(signIn);
      call.exchange().property(SignedInWallet.PROPERTY, signIn.wallet());
      return reader;
    }
    Optional<HttpAnswer> bought = replays.bought(call, signIn.wallet());
    if (bought.isEmpty()) {
      signing.nothingBought();
      throw unpaid(call, due);
    }
    signing.use(signIn);
    throw new CallRefused(bought.get());
  }

  private static boolean isEntitled(IncomingCall call, SignedInReader reader) {
    return call.noted(Entitlement.class)
        .filter(entitlement -> entitlement.holder().test(reader.owner()))
        .isPresent();
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
    VerifiedPayment payment = verifier.verified(call, payload, form, due.quote());
    return new PayerSignature(credit.limited(call, payment), identifier);
  }

  /**
   * A caller who has the order's own payment header is its owner, whether or not that is good any
   * more: the owner sent it to this gateway alone.
   */
  private Authorization ordered(
      IncomingCall call, PaymentPayload payload, AnswerForm form, Due due, Deferral work) {
    Optional<PaymentPayload> submitted = work.submitted().map(PaymentPayload::read);
    boolean same =
        submitted.filter(it -> Arrays.equals(it.envelope(), payload.envelope())).isPresent();
    Optional<VerifiedPayment> own =
        same ? Optional.empty() : Optional.of(verifier.verified(call, payload, form, due.quote()));
    String owner = own.map(payment -> payment.payer().payer()).orElse(work.owner());
    if (!due.isPayable() || !owner.equals(work.owner())) {
      return new OrderedWork(owner, List.of(), "");
    }
    OfferedPrice price = OfferedPrice.of(due.price());
    Optional<VerifiedPayment> first =
        submitted.flatMap(order -> verifier.ordered(order, form, price));
    Optional<VerifiedPayment> second = own.or(() -> before(payload, form, price));
    String reason = first.isEmpty() && second.isEmpty() ? verifier.lateFor(payload, price) : "";
    return new OrderedWork(
        owner, Stream.of(first, second).flatMap(Optional::stream).toList(), reason);
  }

  /** The order's payment may have been taken in its time, and be in doubt or owed an answer. */
  private Optional<VerifiedPayment> before(
      PaymentPayload payload, AnswerForm form, OfferedPrice price) {
    return verifier.before(payload, form, price, verifier.lateFor(payload, price));
  }

  /**
   * What a call has to pay.
   *
   * @param quote what it costs now, or what was agreed when its work was ordered
   * @param work what was ordered before; empty for a call that pays for itself
   * @param active where the payment stands that the work has been taken by; empty if there is none
   */
  record Due(PriceQuote quote, Optional<Deferral> work, Optional<PaymentStatus> active) {

    static Due now(PriceQuote quote) {
      return new Due(quote, Optional.empty(), Optional.empty());
    }

    Usd price() {
      return quote.price();
    }

    /** Whether the call costs nothing, for every caller. */
    boolean isFree() {
      return work.isEmpty() && price().isZero();
    }

    /** Whether this call pays: work does once, when it is done. */
    boolean isPayable() {
      boolean alive = active.filter(status -> status != PaymentStatus.DEAD).isPresent();
      return work.isEmpty() || (work.get().due() && !price().isZero() && !alive);
    }
  }

  /**
   * How the client of a payment reads its answer.
   *
   * @param older whether it paid by {@code X-PAYMENT}, and so reads {@code X-PAYMENT-RESPONSE}
   * @param version1 whether it paid by an envelope of x402 v1, whose networks have other names
   */
  record AnswerForm(boolean older, boolean version1) {

    /** That of clients which speak the present version. */
    static final AnswerForm CURRENT = new AnswerForm(false, false);
  }

  /**
   * A payer asks for work that was ordered before, and pays with what the order was submitted with,
   * or, where that will not do, with what this call brings.
   *
   * @param owner the payer
   * @param candidates what pays, the order's first
   * @param reason why none does, if there is none
   */
  record OrderedWork(String owner, List<VerifiedPayment> candidates, String reason)
      implements Authorization {

    @Override
    public Iterator<VerifiedPayment> payments() {
      return candidates.iterator();
    }

    /**
     * The order's payment keeps its turn where it is used now, or may be by another call (money
     * rule 9).
     */
    @Override
    public boolean givesWay(VerifiedPayment payment, ClaimResult result) {
      boolean last = payment.equals(candidates.get(candidates.size() - 1));
      boolean inUse =
          result instanceof ClaimResult.Claimed
              || result instanceof ClaimResult.Replay
              || result instanceof ClaimResult.Rerun
              || result instanceof ClaimResult.InFlight
              || result instanceof ClaimResult.InDoubt;
      return !last && !inUse;
    }
  }

  /** A payer has signed for the call itself. */
  record PayerSignature(VerifiedPayment payment, Optional<String> identifier)
      implements Authorization {

    @Override
    public String owner() {
      return payment.payer().payer();
    }

    @Override
    public Iterator<VerifiedPayment> payments() {
      return List.of(payment).iterator();
    }

    @Override
    public String reason() {
      return Objects.requireNonNullElse(payment.lateFor(), Refusals.NO_FUNDS);
    }
  }

  /** A wallet has signed in and is shown what it has paid for before. */
  record SignedInReader(SignedInWallet wallet) implements Authorization {

    @Override
    public String owner() {
      return wallet.payer();
    }

    @Override
    public Iterator<VerifiedPayment> payments() {
      return Collections.emptyIterator();
    }

    @Override
    public boolean isPaidBefore() {
      return true;
    }

    @Override
    public String reason() {
      return "";
    }
  }
}
