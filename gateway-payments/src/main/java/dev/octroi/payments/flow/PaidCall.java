package dev.octroi.payments.flow;

import dev.octroi.payments.HttpAnswer;
import dev.octroi.payments.Payment;
import dev.octroi.payments.PaymentUse;
import dev.octroi.payments.Redelivery;
import dev.octroi.payments.Usd;
import dev.octroi.payments.facilitator.Settlement;
import dev.octroi.payments.ledger.Claim;
import dev.octroi.payments.ledger.StoredAnswer;
import java.time.Instant;
import java.util.Base64;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A call whose payment is claimed, from the claim to the last byte of its answer.
 *
 * <p>The method runs on one thread, the sweeper on another: the one that {@linkplain #conclude
 * concludes} the call decides what becomes of the claim.
 */
public final class PaidCall implements Payment, Chargeable {

  private final Start start;
  private final Claim claim;
  private final CallTime time;
  private final Consumer<PaidCall> settleNow;
  private final AtomicReference<CallState> state = new AtomicReference<>(CallState.RUNNING);
  private volatile @Nullable Settlement settlement;
  private volatile boolean settledEarly;
  private boolean rerun;
  private @Nullable StoredAnswer replay;
  private volatile Usd charge;
  private volatile Instant lastByte = Instant.MAX;

  /** What is known of a call before its claim. */
  record Start(
      IncomingCall incoming,
      PaidEndpoint endpoint,
      VerifiedPayment verified,
      Redelivery redelivery) {}

  PaidCall(Start start, Claim claim, CallTime time, Consumer<PaidCall> settleNow) {
    this.start = start;
    this.claim = claim;
    this.time = time;
    this.settleNow = settleNow;
    this.charge = new Usd(claim.amount());
  }

  @Override
  public String payer() {
    return start.verified().payer().payer();
  }

  @Override
  public Optional<String> account() {
    return start.verified().key().map(key -> key.account().toString());
  }

  @Override
  public String network() {
    return start.verified().terms().network();
  }

  @Override
  public Usd quote() {
    return new Usd(claim.amount());
  }

  @Override
  public Usd charge(Usd actual) {
    if (actual.isZero() || actual.compareTo(quote()) > 0) {
      throw new IllegalArgumentException("a charge is above zero and at most the quote");
    }
    if (settlement != null) {
      throw new IllegalStateException("the call is charged already");
    }
    if (start.verified().byKey().isPresent()) {
      charge = actual;
    }
    return charge;
  }

  @Override
  public void chargeQuote() {
    charge = quote();
  }

  @Override
  public String id() {
    return claim.id().toString();
  }

  @Override
  public PaymentUse use() {
    return new PaymentUse(claim.id(), start.incoming().binding().hash());
  }

  @Override
  public Optional<String> envelope() {
    byte[] envelope = start.verified().payload().envelope();
    return start.verified().byKey().isPresent()
        ? Optional.empty()
        : Optional.of(Base64.getEncoder().encodeToString(envelope));
  }

  @Override
  public boolean isSettled() {
    return settlement().flatMap(Settlement::deliverable).isPresent();
  }

  @Override
  public String transaction() {
    return settlement()
        .flatMap(Settlement::deliverable)
        .orElseThrow(() -> new IllegalStateException("payment " + id() + " has not settled"));
  }

  @Override
  public Instant deadline() {
    return time.deadline();
  }

  @Override
  public <T> Optional<T> noted(Class<T> type) {
    return start.incoming().noted(type);
  }

  @Override
  public void settle() {
    settleNow.accept(this);
  }

  /** The request. */
  public IncomingCall incoming() {
    return start.incoming();
  }

  public PaidEndpoint endpoint() {
    return start.endpoint();
  }

  /** What this payment has bought before, to be given in place of the method's answer. */
  public Optional<HttpAnswer> replay() {
    return Optional.ofNullable(replay).map(StoredAnswers::restored);
  }

  /** What the payer gets if the answer does not arrive. */
  Redelivery redelivery() {
    return start.redelivery();
  }

  @Override
  public VerifiedPayment verified() {
    return start.verified();
  }

  @Override
  public Claim claim() {
    return claim;
  }

  CallTime time() {
    return time;
  }

  /** A replay was charged what the call cost then. */
  @Override
  public Usd charge() {
    return charge;
  }

  /** How moving the money went; empty as long as it was not tried. */
  Optional<Settlement> settlement() {
    return Optional.ofNullable(settlement);
  }

  /** Whether the method itself moved the money, before its answer was there. */
  boolean settledEarly() {
    return settledEarly;
  }

  /** Whether the method runs again for a payment that has settled before. */
  boolean isRerun() {
    return rerun;
  }

  /** The method runs again; where it is resumed, its answer is new and kept before it leaves. */
  PaidCall runsAgain() {
    rerun = true;
    settledEarly = redelivery() == Redelivery.RESUMED;
    return this;
  }

  /** The answer is there already. */
  PaidCall replays(StoredAnswer answer) {
    replay = answer;
    return this;
  }

  void settlesEarly() {
    settledEarly = true;
  }

  @Override
  public Settlement settled(Settlement outcome) {
    settlement = outcome;
    if (outcome.deliverable().isPresent()) {
      state.updateAndGet(CallState::paid);
    }
    return outcome;
  }

  /** True for the first that asks, which now decides what becomes of the claim. */
  boolean conclude() {
    return state.getAndUpdate(now -> now.isOpen() ? now.concluded() : now).isOpen();
  }

  /** Whether the call was paid for, and its answer has neither arrived nor certainly not. */
  boolean owes() {
    return Objects.requireNonNull(state.get()).owes();
  }

  /**
   * True once, for the one that saw the answer that was paid for leave, or break, or take too long:
   * it alone says so to the ledger.
   */
  boolean settlesWhatItOwes() {
    return state.getAndUpdate(now -> now.owes() ? CallState.ENDED : now).owes();
  }

  /** The answer that was paid for is on its way. */
  void leaves(Instant paid) {
    lastByte = time.lastByte(paid);
  }

  /** Until when its answer may be on its way. */
  Instant lastByte() {
    return lastByte;
  }
}
