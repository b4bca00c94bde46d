package dev.octroi.payments.simulation;

import dev.octroi.payments.facilitator.Settlement;
import dev.octroi.payments.facilitator.Verification;
import dev.octroi.payments.flow.CreditBounds;
import dev.octroi.payments.ledger.Claim;
import dev.octroi.payments.ledger.ClaimResult;
import dev.octroi.payments.ledger.LedgerUnavailable;
import dev.octroi.payments.ledger.jdbc.JdbcLedger;
import dev.octroi.payments.x402.SettlementOrder;
import java.time.Clock;
import java.time.Duration;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * One request whose answer leaves before it is paid for, the payer having signed a ceiling; the
 * steps are those of the gate.
 */
final class SimulatedStream implements SimulatedWork {

  /** How long another node waits before it settles what this one was about to. */
  private static final Duration DEFERRED = Duration.ofSeconds(30);

  private enum Step {
    VERIFY,
    LIMIT,
    CLAIM,
    LEAVE,
    CONFIRM,
    COVER,
    STREAM,
    KEEP,
    OWE,
    SEND,
    RECORD,
    DONE
  }

  private final Authorization authorization;
  private final SimulatedNode node;
  private final JdbcLedger ledger;
  private final CreditBounds credit;
  private final SimulatedChain chain;
  private final SimulatedDebtors debtors;
  private final Random random;
  private final Clock clock;
  private Step step = Step.VERIFY;
  private long spendable;
  private boolean isAbandoned;
  private long used;
  private @Nullable Claim claim;
  private @Nullable Settlement outcome;

  SimulatedStream(
      Authorization authorization,
      SimulatedNode node,
      SimulatedChain chain,
      SimulatedDebtors debtors,
      Random random,
      Clock clock) {
    this.authorization = authorization;
    this.node = node;
    this.ledger = node.ledger();
    this.credit = node.credit();
    this.chain = chain;
    this.debtors = debtors;
    this.random = random;
    this.clock = clock;
  }

  Authorization authorization() {
    return authorization;
  }

  /** Whether its life still has the say over what it holds. */
  boolean isOfALivingNode() {
    return !node.isOver(ledger);
  }

  @Override
  public boolean diesWith(SimulatedNode other) {
    return ledger == other.ledger();
  }

  @Override
  public boolean isDone() {
    return step == Step.DONE;
  }

  @Override
  public SimulatedNode node() {
    return node;
  }

  @Override
  public String toString() {
    return "%s of %s, up to %d on %s: %s"
        .formatted(
            authorization.nonce(),
            authorization.payer(),
            authorization.amount(),
            node.name(),
            step);
  }

  @Override
  public boolean go() {
    try {
      step = next();
    } catch (LedgerUnavailable e) {
      step = answer("503");
    }
    return true;
  }

  private Step next() {
    return switch (step) {
      case VERIFY -> verify();
      case LIMIT -> limit();
      case CLAIM -> claim();
      case LEAVE -> leave();
      case CONFIRM -> confirm();
      case COVER -> cover();
      case STREAM -> stream();
      case KEEP -> keep();
      case OWE -> owe();
      case SEND -> send();
      case RECORD -> record();
      case DONE -> Step.DONE;
    };
  }

  private Step verify() {
    try {
      Verification said = chain.verify(authorization.payload(), authorization.terms());
      if (said instanceof Verification.Valid valid) {
        spendable = valid.spendable().orElseThrow();
        return Step.LIMIT;
      }
      return answer("402");
    } catch (SimulatedChain.Away e) {
      return answer("503");
    }
  }

  private Step limit() {
    OptionalLong limit =
        credit.limit(Authorization.NETWORK, authorization.payer(), authorization.amount());
    if (limit.isEmpty()) {
      return answer("402, no credit");
    }
    spendable = Math.min(spendable, limit.getAsLong());
    return Step.CLAIM;
  }

  private Step claim() {
    ClaimResult result = ledger.claim(authorization.claim("/stream", OptionalLong.of(spendable)));
    if (result instanceof ClaimResult.Claimed claimed) {
      claim = claimed.claim();
      return Step.LEAVE;
    }
    return answer(result.toString());
  }

  private Step leave() {
    credit.leaves(held());
    return Step.CONFIRM;
  }

  private Step confirm() {
    if (!credit.trusts(Authorization.NETWORK, authorization.payer())) {
      var unused = ledger.release(held());
      return answer("402, no credit any more");
    }
    return Step.COVER;
  }

  private Step cover() {
    if (!credit.coverAll()) {
      var unused = ledger.release(held());
      return answer("429");
    }
    debtors.lends(this);
    return Step.STREAM;
  }

  private Claim held() {
    return Objects.requireNonNull(claim);
  }

  /** It may take so long that others settle it. */
  private Step stream() {
    used = random.nextBoolean() ? authorization.amount() : random.nextLong(authorization.amount());
    isAbandoned = random.nextInt(8) == 0;
    if (used == 0) {
      debtors.forgives(this);
      var unused = ledger.release(held());
      return answer("nothing used");
    }
    return Step.KEEP;
  }

  private Step keep() {
    String order = new SettlementOrder(authorization.payload(), charged().terms()).text();
    ledger
        .deferredSettlements()
        .keep(held(), order, clock.instant().plus(isAbandoned ? Duration.ZERO : DEFERRED));
    return Step.OWE;
  }

  private Authorization charged() {
    return authorization.charging(used);
  }

  private Step owe() {
    ledger.charge(held(), used);
    if (!ledger.settlingDelivered(held())) {
      debtors.forgives(this);
      return answer("the claim is lost");
    }
    debtors.owes(this, used);
    if (isAbandoned) {
      ledger.delivered(held());
      return answer("left to others");
    }
    return Step.SEND;
  }

  private Step send() {
    try {
      outcome = chain.settle(authorization.payload(), charged().terms(), held().attemptName());
    } catch (IllegalStateException e) {
      outcome = new Settlement.Unknown("facilitator_failed", null);
    }
    return Step.RECORD;
  }

  private Step record() {
    Settlement end = Objects.requireNonNull(outcome);
    if (end instanceof Settlement.Settled || end instanceof Settlement.Refused) {
      var unused = ledger.settled(held(), end);
    } else if (end.deliverable().isEmpty()) {
      ledger.delivered(held());
    }
    return answer(end.toString());
  }

  private Step answer(String what) {
    debtors.answered(this, what);
    return Step.DONE;
  }
}
