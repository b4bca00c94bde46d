package dev.octroi.payments.flow;

import dev.octroi.payments.HttpAnswer;
import dev.octroi.payments.Payment;
import dev.octroi.payments.PaymentUse;
import dev.octroi.payments.Redelivery;
import dev.octroi.payments.Usd;
import dev.octroi.payments.facilitator.Settlement;
import dev.octroi.payments.ledger.Claim;
import dev.octroi.payments.ledger.StoredAnswer;
import java.time.Duration;
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
  private final Optional<String> passedOn;
  private final AtomicReference<CallState> state = new AtomicReference<>(CallState.RUNNING);
  private volatile @Nullable Settlement settlement;
  private volatile boolean settledEarly;
  private boolean rerun;
  private @Nullable StoredAnswer replay;
  private volatile Usd charge;
  private volatile boolean stated;
  private volatile boolean leavesUnpaid;
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
    this.passedOn =
        Optional.ofNullable((String) start.incoming().exchange().property(PaymentFlow.PASSED_ON));
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
    if (actual.compareTo(quote()) > 0) {
      throw new IllegalArgumentException("a charge is at most the quote");
    }
    if (settlement != null) {
      throw new IllegalStateException("the call is charged already");
    }
    if (chargesUse()) {
      charge = actual;
      stated = true;
    }
    return charge;
  }

  @Override
  public boolean chargesUse() {
    return start.verified().chargesUse(start.incoming());
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
    return Optional.ofNullable(replay).map(OutgoingAnswer::restored);
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

  /** Whether its answer leaves before it is paid for, the payer having signed a ceiling. */
  boolean streamsUnderCeiling() {
    return start.verified().streamsUnderCeiling(start.incoming());
  }

  /**
   * Its answer leaves before it is charged.
   *
   * @return false if it took too long and may not
   */
  boolean leavesUnpaid() {
    leavesUnpaid = true;
    return Objects.requireNonNull(state.get()).isOpen();
  }

  /** Whether such an answer has used something by now, as far as its method has said so. */
  boolean owesItsUse() {
    return leavesUnpaid && stated && settlement == null && !charge.isZero();
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

  /** The name under which its answer is passed on to the payer; empty where it goes there. */
  Optional<String> passedOn() {
    return passedOn;
  }

  /** Until when its answer may be on its way. */
  Instant lastByte() {
    return lastByte;
  }

  /**
   * How long a paid call may take.
   *
   * @param deadline what the method is told; before the charge never later than the authorization's
   *     life less 10 s (decisions, life of an authorization)
   * @param abandoned when the sweeper takes the claim away from a call that has not been concluded
   * @param lastSettlement after it, settling would run into the authorization's end
   * @param over when the payer has waited as long as a call may take
   * @param delivery how long an answer may be on its way at least
   */
  record CallTime(
      Instant deadline,
      Instant abandoned,
      Instant lastSettlement,
      Instant over,
      Duration delivery) {

    private static final Duration RESERVE = Duration.ofSeconds(10);

    /** A facilitator refuses authorizations with less life than this. */
    private static final Duration SHORTEST_LIFE = Duration.ofSeconds(6);

    /** An answer that was paid for near the end of its call has time to arrive. */
    private static final Duration SHORTEST_DELIVERY = Duration.ofSeconds(10);

    /** A method that keeps its deadline is not swept while its answer is on the way. */
    private static final Duration GRACE = Duration.ofSeconds(1);

    static CallTime of(Instant now, Duration call, Instant validBefore) {
      Instant limit = now.plus(call);
      return new CallTime(
          earlier(limit, validBefore.minus(RESERVE)),
          earlier(limit.plus(GRACE), validBefore),
          validBefore.minus(SHORTEST_LIFE),
          limit,
          delivery(call));
    }

    /** Once it is charged, no authorization limits a call any more. */
    static CallTime afterCharge(Instant now, Duration call) {
      Instant limit = now.plus(call);
      return new CallTime(limit, limit.plus(GRACE), limit, limit, delivery(call));
    }

    /**
     * When an answer that was paid for at a moment counts as not delivered, and may be had again:
     * with the call's time, or, if the payment took long, a little later.
     */
    Instant lastByte(Instant paid) {
      Instant least = paid.plus(delivery);
      return least.isAfter(over) ? least : over;
    }

    private static Duration delivery(Duration call) {
      return call.compareTo(SHORTEST_DELIVERY) < 0 ? call : SHORTEST_DELIVERY;
    }

    private static Instant earlier(Instant one, Instant other) {
      return one.isBefore(other) ? one : other;
    }
  }

  /** Where a paid call stands, from its claim to the last byte of its answer. */
  enum CallState {
    /** The method is at work under the claim. */
    RUNNING,
    /** The money has moved, and the method is still at work. */
    PAID,
    /** The answer is there, or took too long: what becomes of the claim is being decided. */
    CONCLUDED,
    /** What was paid for is on its way. */
    LEAVING,
    /** Nothing is left to do for the call. */
    ENDED;

    /** The money has moved. */
    CallState paid() {
      return this == RUNNING ? PAID : this == CONCLUDED ? LEAVING : this;
    }

    /** One thread decides what becomes of the claim; only from {@link #isOpen open} calls. */
    CallState concluded() {
      return this == PAID ? LEAVING : CONCLUDED;
    }

    /** Whether it is undecided what becomes of the claim. */
    boolean isOpen() {
      return this == RUNNING || this == PAID;
    }

    /** Whether the call was paid for, and its answer has neither arrived nor certainly not. */
    boolean owes() {
      return this == PAID || this == LEAVING;
    }
  }
}
