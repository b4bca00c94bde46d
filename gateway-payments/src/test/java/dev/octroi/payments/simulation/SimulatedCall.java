package dev.octroi.payments.simulation;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.octroi.payments.Redelivery;
import dev.octroi.payments.effect.EffectRunner.EffectResult;
import dev.octroi.payments.facilitator.Settlement;
import dev.octroi.payments.facilitator.Verification;
import dev.octroi.payments.ledger.Claim;
import dev.octroi.payments.ledger.ClaimResult;
import dev.octroi.payments.ledger.LedgerUnavailable;
import dev.octroi.payments.ledger.StoredAnswer;
import dev.octroi.payments.ledger.jdbc.JdbcLedger;
import jakarta.ws.rs.WebApplicationException;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * One request on one node, a step at a time: between any two of them the node may die, stall, or
 * lose the claim. The steps are those of the gate, in its order.
 */
final class SimulatedCall implements SimulatedWork {

  private enum Step {
    VERIFY,
    CLAIM,
    UPSTREAM,
    EFFECT,
    SETTLING,
    SEND,
    RECORD,
    LEAVE,
    NOTE,
    DONE
  }

  private final Authorization authorization;
  private final String path;
  private final SimulatedNode node;
  private final JdbcLedger ledger;
  private final SimulatedChain chain;
  private final Witness witness;
  private final Random random;
  private Step step = Step.VERIFY;
  private OptionalLong spendable = OptionalLong.empty();
  private boolean late;
  private boolean paidBefore;
  private boolean swept;
  private @Nullable Claim claim;
  private @Nullable Settlement outcome;
  private Optional<String> transaction = Optional.empty();

  SimulatedCall(
      Authorization authorization,
      String path,
      SimulatedNode node,
      SimulatedChain chain,
      Witness witness,
      Random random) {
    this.authorization = authorization;
    this.path = path;
    this.node = node;
    this.ledger = node.ledger();
    this.chain = chain;
    this.witness = witness;
    this.random = random;
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
  public String toString() {
    return authorization.nonce() + " " + path + " on " + node.name() + ": " + step;
  }

  boolean holdsAClaim() {
    return claim != null;
  }

  /** Whether its life still has the say over what it holds. */
  boolean isOfALivingNode() {
    return !node.isOver(ledger);
  }

  /** The same payment on the same node, for the other of two things. */
  SimulatedCall rival(String one, String other) {
    return new SimulatedCall(
        authorization, path.equals(one) ? other : one, node, chain, witness, random);
  }

  @Override
  public SimulatedNode node() {
    return node;
  }

  @Override
  public boolean go() {
    try {
      step = next();
    } catch (LedgerUnavailable e) {
      witness.ends(this);
      answer(503);
      step = Step.DONE;
    } catch (SimulatedVendor.Killed e) {
      step = Step.DONE;
      return false;
    }
    return true;
  }

  /** What the sweeper of calls that are too late does; the call itself does not notice. */
  void loseToTheSweeper() {
    Claim held = claim;
    if (held != null && (paidBefore || step == Step.LEAVE || step == Step.NOTE)) {
      swept = true;
      notArrived();
    } else if (held != null) {
      var unused = did(ledger.release(held));
    }
  }

  private void notArrived() {
    witness.ends(this);
    ledger.unanswered(held());
  }

  /** What was done in the name of a claim, which a life that was taken over cannot do. */
  private boolean did(boolean done) {
    if (done && !paidBefore && node.isOver(ledger)) {
      witness.usurped(authorization);
    }
    return done;
  }

  private Step next() {
    return switch (step) {
      case VERIFY -> verify();
      case CLAIM -> claim();
      case UPSTREAM -> upstream();
      case EFFECT -> effect();
      case SETTLING -> settling();
      case SEND -> send();
      case RECORD -> record();
      case LEAVE -> leave();
      case NOTE -> note();
      case DONE -> Step.DONE;
    };
  }

  private Step verify() {
    Verification verification;
    try {
      verification = chain.verify(authorization.payload(), authorization.terms());
    } catch (IllegalStateException e) {
      return answer(503);
    }
    if (verification instanceof Verification.Invalid) {
      witness.refused(authorization);
      return answer(402);
    }
    late = verification instanceof Verification.Late;
    spendable =
        verification instanceof Verification.Late before
            ? before.payment().spendable()
            : ((Verification.Valid) verification).spendable();
    return Step.CLAIM;
  }

  private Step claim() {
    boolean delivered = witness.isDelivered(authorization);
    ClaimResult result =
        late
            ? ledger.redeliver(authorization.claim(path, spendable))
            : ledger.claim(authorization.claim(path, spendable));
    if (delivered && isGranted(result)) {
      witness.claimedAgain(authorization);
    }
    if (result instanceof ClaimResult.Claimed claimed) {
      claim = claimed.claim();
      return Step.UPSTREAM;
    }
    if (result instanceof ClaimResult.Rerun rerun) {
      claim = rerun.claim();
      paidBefore = true;
      transaction = Optional.of(rerun.transaction());
      witness.begins(authorization, this);
      return Step.UPSTREAM;
    }
    if (result instanceof ClaimResult.Replay replay) {
      claim = replay.claim();
      paidBefore = true;
      witness.begins(authorization, this);
      byte[] answer = ledger.identifiers().answer(claim.id()).orElseThrow().body();
      witness.replayed(authorization, path, new String(answer, US_ASCII));
      return Step.LEAVE;
    }
    return answer(status(result));
  }

  private static boolean isGranted(ClaimResult result) {
    return result instanceof ClaimResult.Claimed
        || result instanceof ClaimResult.Rerun
        || result instanceof ClaimResult.Replay;
  }

  private static int status(ClaimResult result) {
    if (result instanceof ClaimResult.InFlight) {
      return 409;
    }
    if (result instanceof ClaimResult.InDoubt) {
      return 503;
    }
    return result instanceof ClaimResult.OverBudget ? 403 : 402;
  }

  private Claim held() {
    return Objects.requireNonNull(claim);
  }

  private Step upstream() {
    witness.ran(authorization);
    if (authorization.redelivery() == Redelivery.RESUMED) {
      return Step.EFFECT;
    }
    if (swept) {
      return answer(502);
    }
    if (random.nextInt(8) == 0) {
      witness.ends(this);
      var unused = did(ledger.release(held()));
      return answer(502);
    }
    return paidBefore ? Step.LEAVE : Step.SETTLING;
  }

  /** All of it at once, but for what kills the node in between. */
  private Step effect() {
    SimulatedPayment payment =
        new SimulatedPayment(
            ledger,
            authorization.claim(path, spendable),
            held(),
            transaction,
            this::sent,
            node.vendor()::mayKill);
    try {
      EffectResult result = node.runner(ledger).perform(payment, path);
      if (result instanceof EffectResult.Done) {
        StoredAnswer answer = new StoredAnswer(200, Map.of(), path.getBytes(US_ASCII));
        var unused = ledger.answered(held(), answer);
        if (!swept) {
          witness.begins(authorization, this);
        }
        return Step.LEAVE;
      }
      notArrived();
      return answer(result instanceof EffectResult.Failed ? 500 : 503);
    } catch (WebApplicationException e) {
      notArrived();
      return answer(e.getResponse().getStatus());
    }
  }

  private Settlement sent() {
    try {
      return chain.settle(authorization.payload(), authorization.terms());
    } catch (IllegalStateException e) {
      return new Settlement.Unknown("facilitator_failed", null);
    }
  }

  private Step settling() {
    boolean kept = authorization.redelivery() == Redelivery.STORED;
    StoredAnswer answer = new StoredAnswer(200, Map.of(), path.getBytes(US_ASCII));
    return did(ledger.settling(held(), kept ? answer : null)) ? Step.SEND : answer(503);
  }

  private Step send() {
    outcome = sent();
    return Step.RECORD;
  }

  private Step record() {
    Settlement end = Objects.requireNonNull(outcome);
    if (!did(ledger.settled(held(), end))
        || end instanceof Settlement.Unknown
        || end instanceof Settlement.Unsent) {
      return answer(503);
    }
    if (end instanceof Settlement.Refused) {
      return answer(402);
    }
    witness.begins(authorization, this);
    return Step.LEAVE;
  }

  private Step leave() {
    if (random.nextInt(6) == 0) {
      witness.lost(authorization);
      if (!swept) {
        notArrived();
      }
      return Step.DONE;
    }
    witness.answered(authorization, path, 200);
    return Step.NOTE;
  }

  /** What arrives too late does not count. */
  private Step note() {
    if (!swept) {
      witness.arrived(authorization, this);
      ledger.delivered(held());
    }
    return Step.DONE;
  }

  private Step answer(int status) {
    witness.answered(authorization, path, status);
    return Step.DONE;
  }
}
