package dev.octroi.payments.flow;

import dev.octroi.payments.Admission;
import dev.octroi.payments.CallRefused;
import dev.octroi.payments.Deferral;
import dev.octroi.payments.Exchange;
import dev.octroi.payments.HttpAnswer;
import dev.octroi.payments.PriceQuote;
import dev.octroi.payments.Prices;
import dev.octroi.payments.Redelivery;
import dev.octroi.payments.Settle;
import dev.octroi.payments.Sha256;
import dev.octroi.payments.Usd;
import dev.octroi.payments.account.AccountCharges;
import dev.octroi.payments.account.ApiKey;
import dev.octroi.payments.body.BodyBuffer;
import dev.octroi.payments.facilitator.Settlement;
import dev.octroi.payments.flow.Authorizations.Due;
import dev.octroi.payments.flow.Authorizations.PayerSignature;
import dev.octroi.payments.flow.PaidCall.CallTime;
import dev.octroi.payments.ledger.Claim;
import dev.octroi.payments.ledger.ClaimRequest;
import dev.octroi.payments.ledger.ClaimResult;
import dev.octroi.payments.ledger.LedgerUnavailable;
import dev.octroi.payments.ledger.PaymentStatuses.PaymentStatus;
import dev.octroi.payments.ledger.Purchases.Purchase;
import dev.octroi.payments.ledger.StoredAnswer;
import dev.octroi.payments.x402.MalformedPayment;
import dev.octroi.payments.x402.PaymentPayload;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The whole path of a paid call, whatever container received it: {@link #admit} is all that happens
 * before the method runs, {@link #conclude} all that happens once its answer is there. Thread-safe.
 */
public final class PaymentFlow implements AutoCloseable {

  /**
   * The property of an {@link Exchange} by which a host says that its answer goes to another part
   * of the host, which passes it on to the payer: a name, a text. Whether the answer has arrived,
   * {@link #passedOn} says then. No header of a caller's own may decide it.
   */
  public static final String PASSED_ON = "dev.octroi.payments.passed-on";

  /**
   * The property by which a host says that a request is a part of another one, to which its payment
   * is bound: a {@link dev.octroi.payments.ledger.ClaimRequest.RequestBinding}. The payer repeats
   * that one. No header of a caller's own may decide it.
   */
  public static final String BOUND_TO = "dev.octroi.payments.bound-to";

  /**
   * The property by which the flow says how many bytes of its answer are in memory until it has
   * left, a {@code Long}: a server may have to choose between callers who read slowly.
   */
  public static final String ANSWER_BYTES = "dev.octroi.payments.answer-bytes";

  /** Which endpoint a request was found to be for. */
  private static final String PRICED = "dev.octroi.payments.priced";

  private static final Logger LOG = LoggerFactory.getLogger(PaymentFlow.class);

  private final FlowSettings settings;
  private final Admission admission;
  private final Prices prices;
  private final Clock clock;
  private final BodyBuffer bodies;
  private final BodyBuffer held;
  private final Settler settler;
  private final Refusals refusals;
  private final ChannelAnswers channels;
  private final ApiKeyAuthenticator authenticator;
  private final Authorizations authorizations;
  private final Credit credit;
  private final OpenCalls openCalls;
  private final AnswerSettlement answers;

  public PaymentFlow(FlowSettings settings) {
    this.settings = settings;
    this.admission = settings.admission();
    this.prices = settings.prices();
    this.clock = settings.clock();
    this.bodies = settings.limits().bodies();
    this.held = bodies.withLimit(settings.limits().answerBytes());
    this.settler =
        new Settler(
            settings.ledger(),
            settings.facilitators(),
            settings.netting().isPresent(),
            new Steps(settings.observer()),
            settings.callers().policy(),
            settings.unsettledPerPayer(),
            clock);
    this.refusals = new Refusals(settings.challenges(), settings.urls(), settings.descriptions());
    this.channels = new ChannelAnswers(settings.ledger().channels(), refusals);
    this.authenticator = new ApiKeyAuthenticator(settings.callers(), admission);
    Receipts receipts = new Receipts(settings.protocol().receipts(), settings.urls(), clock);
    this.credit = new Credit(settings.credit(), settler, refusals);
    this.authorizations =
        new Authorizations(settings, settler, refusals, receipts, authenticator, credit);
    this.openCalls = new OpenCalls(clock, settler);
    this.answers = new AnswerSettlement(settings, settler, refusals, openCalls, receipts);
  }

  /** Takes a request in; the caller of this method closes it, unless the call is paid for. */
  public IncomingCall incoming(Exchange exchange) {
    return incoming(exchange, Long.MAX_VALUE);
  }

  /**
   * The same for a request whose body may be shorter than others.
   *
   * @param longestBody in bytes; no longer than any body may be
   */
  public IncomingCall incoming(Exchange exchange, long longestBody) {
    boolean shorter = longestBody < bodies.limit();
    return new IncomingCall(exchange, shorter ? bodies.withLimit(longestBody) : bodies, admission);
  }

  /**
   * Lets the method of a call run: under a claim, which {@link #conclude} ends, or for nothing.
   *
   * @return the paid call, whose answer may be there {@linkplain PaidCall#replay already}; empty
   *     where the method runs without payment
   * @throws CallRefused with the answer to give where the method does not run; the host closes the
   *     call once that has left
   * @throws IllegalStateException where the host has given the request a price twice
   */
  public Optional<PaidCall> admit(IncomingCall call, PaidEndpoint endpoint) {
    boolean admitted = false;
    try {
      requireOnePrice(call.exchange(), endpoint);
      Optional<PaidCall> paid = pass(call, endpoint);
      admitted = true;
      return paid;
    } catch (MalformedPayment e) {
      admission.unpaid(call.exchange());
      throw e.refused();
    } catch (LedgerUnavailable e) {
      throw new CallRefused(unavailable(endpoint, e));
    } finally {
      if (!admitted) {
        call.refuse();
      }
      if (!admitted && call.holdsAnswer()) {
        openCalls.repeats(call, settings.limits().call());
      }
    }
  }

  private Optional<PaidCall> pass(IncomingCall call, PaidEndpoint endpoint) {
    Exchange exchange = call.exchange();
    requireNotHead(exchange);
    Credentials credentials = identify(exchange);
    countProven(call, endpoint, credentials);
    Usd list = list(call, endpoint, credentials);
    Due due = due(call, endpoint, credentials, list);
    if (due.isFree()) {
      // It takes no payment, so that one that comes with it is no way around the limits.
      credentials.header().ifPresent(unlooked -> admission.unpaid(exchange));
      if (!call.isCounted()) {
        call.occupy(admission.free(exchange));
      }
      return Optional.empty();
    }
    Authorization authorization =
        verified(call, credentials, () -> authorizations.of(call, credentials, due));
    requireOwner(exchange, authorization, due);
    if (!call.isCounted()) {
      call.occupy(admission.paid(exchange, authorization.caller()));
    }
    if (!due.isPayable() || authorization.isPaidBefore()) {
      call.answersOneCaller();
      return Optional.empty();
    }
    Redelivery redelivery = redelivery(endpoint, authorization);
    Settler.Claimed claimed =
        settler
            .claim(authorization, payment -> request(call, authorization, payment, redelivery))
            .orElseThrow(() -> unpayable(call, due, authorization));
    return Optional.of(
        begin(new PaidCall.Start(call, endpoint, claimed.payment(), redelivery), claimed));
  }

  /** Settles what the answer is charged, or gives the payment back; puts on what the payer gets. */
  public void conclude(PaidCall call, OutgoingAnswer answer) {
    answers.conclude(call, answer);
  }

  /**
   * The same for an answer whose bytes are there.
   *
   * @return what leaves: this answer with what the payer gets, or another one in its place
   */
  public HttpAnswer conclude(PaidCall call, HttpAnswer answer) {
    WholeAnswer whole = new WholeAnswer(answer);
    conclude(call, whole);
    return whole.leaving();
  }

  /** All of the answer has left this node; only the first end of a call counts. */
  public void delivered(PaidCall call) {
    openCalls.left(call);
  }

  /** The answer broke on its way: the payer may have it again. */
  public void undelivered(PaidCall call) {
    openCalls.undelivered(call);
    call.incoming().close();
  }

  /**
   * Ends the calls whose answers were passed on under a name. Those that no one ends in the time
   * that an answer may be on its way count as undelivered.
   *
   * @param arrived false if the payer may have the answers again
   */
  public void passedOn(String name, boolean arrived) {
    openCalls.passedOn(name, arrived);
  }

  /**
   * Takes the memory for an answer that is passed on under a name, before anything is made of it.
   * What its paid call has taken for it, before it was charged, is handed over.
   *
   * @param bytes how long the answer is
   * @return what was taken; the caller of this method gives it back to {@link #bodies}
   * @throws CallRefused 503 where there is no memory for it now
   */
  public long passOn(String name, long bytes) {
    long taken = openCalls.handOver(name);
    try {
      return bodies.working().takeForAnswer(bytes, taken);
    } catch (CallRefused e) {
      bodies.working().give(taken);
      throw e;
    }
  }

  /** A second price would find the payment in use, by the call that waits for it. */
  private static void requireOnePrice(Exchange exchange, PaidEndpoint endpoint) {
    Object other = exchange.property(PRICED);
    if (other != null) {
      throw new IllegalStateException(
          "One request has two prices, as "
              + other
              + " and "
              + endpoint.name()
              + ". Take one away.");
    }
    exchange.property(PRICED, endpoint.name());
  }

  private static void requireNotHead(Exchange exchange) {
    if (exchange.method().equals("HEAD")) {
      throw new CallRefused(
          HttpAnswer.error(405, "HEAD is not served on a paid resource.")
              .with("Allow", "GET, OPTIONS"));
    }
  }

  /**
   * Counts a call of a caller who is proven before the tariff works: a key's, and a payer's where
   * calls without a good payment are too many already. There a bad payment, which counts as none,
   * has no price computed; others who share the address are served. Who polls pays for work that
   * has its price.
   */
  private void countProven(IncomingCall call, PaidEndpoint endpoint, Credentials credentials) {
    Exchange exchange = call.exchange();
    Optional<Admission.Caller> proven = credentials.key().map(ManagedWallets::caller);
    if (credentials.payload().isPresent()
        && endpoint.settle() != Settle.LATER
        && admission.refusesUnpaid(exchange)) {
      PaymentPayload payload = credentials.payload().get();
      proven = verified(call, credentials, () -> authorizations.payer(call, payload));
      if (proven.isEmpty()) {
        admission.unpaid(exchange);
      }
    }
    proven.ifPresent(caller -> call.occupy(admission.paid(exchange, caller)));
  }

  /** A payment is verified in a place of its own, as long as its call has none. */
  private <T> T verified(IncomingCall call, Credentials credentials, Supplier<T> verification) {
    if (credentials.payload().isEmpty() || call.isCounted()) {
      return verification.get();
    }
    Admission.Permit place = admission.verifying(call.exchange());
    try {
      return verification.get();
    } finally {
      place.close();
    }
  }

  /**
   * What the tariff says. To find that a request cannot be priced may have been work, so that it
   * counts as unpaid whatever payment comes with it, but for what is this node's own fault.
   */
  private Usd list(IncomingCall call, PaidEndpoint endpoint, Credentials credentials) {
    try {
      return endpoint.tariff().price(call);
    } catch (LedgerUnavailable e) {
      throw e;
    } catch (RuntimeException e) {
      boolean busy = e instanceof CallRefused refused && refused.answer().status() >= 500;
      if (credentials.payload().isPresent() && !busy) {
        admission.unpaid(call.exchange());
      }
      throw e;
    }
  }

  /**
   * Who calls: with a key and a payment together, the payment pays. One that cannot be read is
   * refused before anything is made of the request's body.
   */
  private Credentials identify(Exchange exchange) {
    Optional<PaymentHeader> header = PaymentHeader.of(exchange::headers);
    Optional<ApiKey> key = header.isPresent() ? Optional.empty() : authenticator.key(exchange);
    if (header.isEmpty() && key.isEmpty()) {
      admission.unpaid(exchange);
    } else if (settler.ledger().isBusy()) {
      // A crowd is told so before each of its payments is looked at.
      throw LedgerUnavailable.nothingDone("the ledger is busy");
    }
    return new Credentials(header, header.map(PaymentHeader::read), key);
  }

  /** What is due: the price of now, or what was agreed when the work was ordered. */
  private Due due(IncomingCall call, PaidEndpoint endpoint, Credentials credentials, Usd list) {
    if (endpoint.settle() != Settle.LATER) {
      Optional<String> key = credentials.key().map(ApiKey::id).map(UUID::toString);
      return Due.now(prices.quote(call, list, key));
    }
    Deferral work =
        call.noted(Deferral.class)
            .orElseThrow(
                () ->
                    new IllegalStateException(endpoint.name() + ": its tariff noted no Deferral"));
    Optional<PaymentStatus> active =
        work.due() ? work.active().map(settler.ledger().paymentStatuses()::of) : Optional.empty();
    if (active.filter(PaymentStatus.OPEN::equals).isPresent()) {
      // While it may still pay, no challenge invites the payer to pay again (money rule 9).
      credentials.header().ifPresent(unlooked -> admission.unpaid(call.exchange()));
      throw new CallRefused(Refusals.doubtful());
    }
    return new Due(PriceQuote.of(work.price()), Optional.of(work), active);
  }

  private void requireOwner(Exchange exchange, Authorization authorization, Due due) {
    if (due.work().filter(work -> !work.owner().equals(authorization.owner())).isPresent()) {
      throw new CallRefused(
          settings.callers().errors().answer(exchange, 404, "not_found", "There is no such work."));
    }
  }

  /**
   * What may be asked for by its identifier, or by signing in, is kept, although it could be read
   * again.
   */
  private Redelivery redelivery(PaidEndpoint endpoint, Authorization authorization) {
    boolean kept =
        authorization.identifier().isPresent()
            || (settings.protocol().signIn() && authorization instanceof PayerSignature);
    return kept && endpoint.redelivery() == Redelivery.REREAD
        ? Redelivery.STORED
        : endpoint.redelivery();
  }

  private ClaimRequest request(
      IncomingCall call,
      Authorization authorization,
      VerifiedPayment payment,
      Redelivery redelivery) {
    return payment
        .claim(
            call.binding(), redelivery, settings.callers().origin(call.exchange(), payment.key()))
        .identifiedBy(authorization.identifier());
  }

  private CallRefused unpayable(IncomingCall call, Due due, Authorization authorization) {
    return new CallRefused(
        refusals.invalid(call.exchange(), call.offered(due.price()), authorization.reason()));
  }

  private PaidCall begin(PaidCall.Start start, Settler.Claimed claimed) {
    ClaimResult result = claimed.result();
    if (result instanceof ClaimResult.Claimed won) {
      Instant end = credit.end(start.incoming(), claimed.payment());
      CallTime time = CallTime.of(clock.instant(), settings.limits().call(), end);
      PaidCall call = new PaidCall(start, won.claim(), time, this::settleNow);
      credit.give(call);
      return open(call);
    }
    if (result instanceof ClaimResult.Rerun rerun) {
      return open(paidBefore(start, rerun.claim(), rerun.transaction()).runsAgain());
    }
    if (result instanceof ClaimResult.Replay replay) {
      return replayed(open(paidBefore(start, replay.claim(), replay.transaction())), replay);
    }
    throw new CallRefused(unclaimed(start.incoming().exchange(), claimed));
  }

  /** The answer is read once there is memory for it; without, its payer may ask again. */
  private PaidCall replayed(PaidCall call, ClaimResult.Replay replay) {
    boolean read = false;
    try {
      StoredAnswer answer =
          Replays.kept(settler.ledger(), call.incoming(), replay.claim().id(), replay.answerBytes())
              .orElseThrow(
                  () -> new CallRefused(HttpAnswer.busy("The answer cannot be read now.")));
      read = true;
      return call.replays(answer);
    } finally {
      if (!read) {
        openCalls.undelivered(call);
      }
    }
  }

  private PaidCall paidBefore(PaidCall.Start start, Claim claim, String transaction) {
    CallTime time = CallTime.afterCharge(clock.instant(), settings.limits().call());
    PaidCall call = new PaidCall(start, claim, time, this::settleNow);
    call.settled(new Settlement.Settled(transaction));
    return call;
  }

  private PaidCall open(PaidCall call) {
    openCalls.open(call);
    return call;
  }

  private HttpAnswer unclaimed(Exchange exchange, Settler.Claimed claimed) {
    if (!claimed.isServed()) {
      admission.unpaid(exchange);
      return settings.callers().payerRefused(exchange);
    }
    if (claimed.result() instanceof ClaimResult.OverBudget over) {
      return authenticator.overLimit(exchange, over.limit());
    }
    if (claimed.payment().payer().channel().isPresent()
        && claimed.result() instanceof ClaimResult.Failed) {
      // A voucher that is not taken costs its payer nothing, so that asking with it is limited.
      admission.unpaid(exchange);
    }
    Optional<HttpAnswer> corrected =
        channels.corrected(claimed.result(), exchange, claimed.payment());
    if (corrected.isPresent()) {
      return corrected.get();
    }
    boolean trusted = claimed.payment().trusted().isPresent();
    return claimed.result() instanceof ClaimResult.Insufficient && trusted
        ? HttpAnswer.retry(429, "Too much of this payer is unsettled at once.")
        : refusals.unclaimed(claimed.result(), exchange, claimed.payment());
  }

  /** For a method that settles before its effect: the payer gets 402 or 503 if that fails. */
  private void settleNow(PaidCall call) {
    Settlement outcome = settler.settleNow(call);
    if (outcome.deliverable().isEmpty()) {
      throw new CallRefused(refusals.unsettled(call, outcome));
    }
  }

  private static HttpAnswer unavailable(PaidEndpoint endpoint, LedgerUnavailable why) {
    if (why.isNothingDone()) {
      return HttpAnswer.retry(
          429,
          "Too many payments at the moment; nothing was charged. Send the same request with the"
              + " same payment again.");
    }
    LedgerUnavailable.log(LOG, "A call of " + endpoint.name() + " was refused", why);
    return HttpAnswer.busy("Payments cannot be taken at the moment.");
  }

  /** What the flow works with. */
  public FlowSettings settings() {
    return settings;
  }

  /**
   * A payment as its payer may see it, who proves to be that by the byte-identical payment (as for
   * an answer: money rule 4); see {@code Payments#purchase}.
   *
   * @param id the payment's, or its transaction
   * @return empty if there is none, or not with this payment
   * @throws CallRefused 400 if the payment header cannot be read, 431 if it is too long
   */
  public Optional<Purchase> purchase(String id, Function<String, List<String>> headers) {
    try {
      Optional<PaymentPayload> shown = PaymentHeader.of(headers).map(PaymentHeader::read);
      return shown.flatMap(
          payload ->
              found(id, payload)
                  .filter(it -> it.envelopeHash().equals(Sha256.hex(payload.envelope())))
                  .filter(it -> it.id().toString().equals(id) || id.equals(it.transaction())));
    } catch (MalformedPayment e) {
      throw e.refused();
    }
  }

  /**
   * Transactions have no index: it would cost every settlement. The payment says its key itself.
   */
  private Optional<Purchase> found(String id, PaymentPayload payload) {
    try {
      return settler.ledger().purchases().find(UUID.fromString(id));
    } catch (IllegalArgumentException e) {
      return StatedKey.of(payload).flatMap(settler.ledger().purchases()::find);
    }
  }

  /** Lets payers sign in with their wallets; empty where they cannot. */
  public Optional<SignIns> signIns() {
    return authorizations.signIns();
  }

  /** Charges accounts without a call; see {@code Payments#charges}. */
  public Optional<AccountCharges> charges() {
    return authorizations.wallets().map(payers -> new AccountChargeService(payers, settler, clock));
  }

  /** What takes in request bodies. */
  public BodyBuffer bodies() {
    return bodies;
  }

  /** What answers are held in that may not leave yet; each as long as an answer may be. */
  public BodyBuffer answers() {
    return held;
  }

  /** What all payers owe, on all nodes, for answers that leave before they are paid for. */
  public Usd owed() {
    return new Usd(settings.ledger().deferredSettlements().owed());
  }

  /** What this node is delivering and was not paid for yet, to payers that signed a ceiling. */
  public Usd onCredit() {
    return credit.open();
  }

  /** How many paid calls are in flight, up to the last byte of their answers. */
  public int callsInFlight() {
    return openCalls.size();
  }

  /** Stops the sweeper; calls in flight end as they would. */
  @Override
  public void close() {
    openCalls.close();
  }

  /** What a request pays by: a payment, else an API key, else nothing. */
  record Credentials(
      Optional<PaymentHeader> header, Optional<PaymentPayload> payload, Optional<ApiKey> key) {}
}
