package dev.octroi.payments.simulation;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.octroi.payments.facilitator.ChannelUse;
import dev.octroi.payments.facilitator.Settlement;
import dev.octroi.payments.facilitator.Verification;
import dev.octroi.payments.ledger.Claim;
import dev.octroi.payments.ledger.ClaimRequest;
import dev.octroi.payments.ledger.ClaimResult;
import dev.octroi.payments.ledger.LedgerUnavailable;
import dev.octroi.payments.ledger.StoredAnswer;
import dev.octroi.payments.ledger.jdbc.JdbcLedger;
import dev.octroi.payments.simulation.SimulatedContract.Held;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * One request that is paid out of a channel, on one node; the steps are those of the gate. Its
 * answer says what was charged.
 */
final class SimulatedChannelCall implements SimulatedWork {

  /** What is read of a channel is used so soon, and a call is over so soon. */
  private static final Duration LIMIT = SimulatedReadings.FRESH.dividedBy(2);

  private enum Step {
    VERIFY,
    CLAIM,
    UPSTREAM,
    SETTLE,
    SEND,
    RECORD,
    LEAVE,
    NOTE,
    DONE
  }

  private final Voucher voucher;
  private final String path;
  private final SimulatedNode node;
  private final JdbcLedger ledger;
  private final SimulatedChain chain;
  private final SimulatedPayers payers;
  private final Random random;
  private final Clock clock;
  private Step step = Step.VERIFY;
  private Instant since = Instant.MIN;
  private Held told = Held.NOTHING;
  private boolean late;
  private long charge;
  private @Nullable Claim claim;
  private @Nullable Settlement outcome;

  SimulatedChannelCall(
      Voucher voucher,
      String path,
      SimulatedNode node,
      SimulatedChain chain,
      SimulatedPayers payers,
      Random random,
      Clock clock) {
    this.voucher = voucher;
    this.path = path;
    this.node = node;
    this.ledger = node.ledger();
    this.chain = chain;
    this.payers = payers;
    this.random = random;
    this.clock = clock;
  }

  Voucher voucher() {
    return voucher;
  }

  String path() {
    return path;
  }

  @Override
  public boolean diesWith(SimulatedNode other) {
    return ledger == other.ledger();
  }

  /** Whether its life still has the say over what it holds. */
  boolean isOfALivingNode() {
    return !node.isOver(ledger);
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
    return "%s permits %d after %d, %s on %s: %s"
        .formatted(voucher.channel(), voucher.permits(), voucher.before(), path, node.name(), step);
  }

  @Override
  public boolean go() {
    try {
      step = next();
    } catch (LedgerUnavailable e) {
      step = answer(503, "ledger_unavailable");
    }
    return true;
  }

  private Step next() {
    return switch (step) {
      case VERIFY -> verify();
      case CLAIM -> claim();
      case UPSTREAM -> upstream();
      case SETTLE -> settle();
      case SEND -> send();
      case RECORD -> record();
      case LEAVE -> leave();
      case NOTE -> note();
      case DONE -> Step.DONE;
    };
  }

  private Step verify() {
    since = clock.instant();
    try {
      if (voucher.deposit().isEmpty()) {
        told = node.readings().of(voucher.channel(), voucher.permits());
      } else {
        Authorization deposit = voucher.deposit().get();
        told = chain.contract().of(voucher.channel());
        late = chain.verify(deposit.payload(), deposit.terms()) instanceof Verification.Late;
        if (!late) {
          node.readings().forget(voucher.channel());
        }
      }
      return Step.CLAIM;
    } catch (IllegalStateException e) {
      return answer(503, "chain_unavailable");
    }
  }

  private boolean isTooLate() {
    return clock.instant().isAfter(since.plus(LIMIT));
  }

  private Step claim() {
    if (isTooLate()) {
      return Step.VERIFY;
    }
    long funds;
    try {
      funds = chain.funds(voucher.payer());
    } catch (IllegalStateException e) {
      return answer(503, "chain_unavailable");
    }
    ClaimRequest request = voucher.claim(path, told, funds);
    ClaimResult result = late ? ledger.redeliver(request) : ledger.claim(request);
    if (result instanceof ClaimResult.Claimed claimed) {
      claim = claimed.claim();
      since = clock.instant();
      payers.begins(this);
      return Step.UPSTREAM;
    }
    if (result instanceof ClaimResult.Replay replay) {
      claim = replay.claim();
      byte[] answer = ledger.identifiers().answer(claim.id()).orElseThrow().body();
      charge = payers.replayed(this, new String(answer, US_ASCII));
      return Step.LEAVE;
    }
    if (result instanceof ClaimResult.InFlight) {
      return answer(409, "in_flight");
    }
    if (result instanceof ClaimResult.InDoubt) {
      return answer(503, "in_doubt");
    }
    return answer(402, result instanceof ClaimResult.Failed failed ? failed.reason() : "used");
  }

  private Claim held() {
    return Objects.requireNonNull(claim);
  }

  /** What is used may be nothing, and is the price where the upstream does not tell it. */
  private Step upstream() {
    charge = random.nextBoolean() ? voucher.price() : random.nextLong(voucher.price() + 1);
    return random.nextInt(10) == 0 || charge == 0 ? release(502) : Step.SETTLE;
  }

  private Step release(int status) {
    payers.ends(this);
    var unused = ledger.release(held());
    return answer(status, "released");
  }

  private Step settle() {
    if (isTooLate()) {
      return release(504);
    }
    ledger.charge(held(), charge);
    StoredAnswer answer = new StoredAnswer(200, Map.of(), (path + " " + charge).getBytes(US_ASCII));
    if (voucher.deposit().isPresent()) {
      return ledger.settling(held(), answer) ? Step.SEND : answer(503, "claim_lost");
    }
    Settlement settled = ledger.settleByVoucher(held(), answer);
    payers.ends(this);
    return settled instanceof Settlement.Settled ? Step.LEAVE : answer(503, "claim_lost");
  }

  private Step send() {
    Authorization deposit = voucher.deposit().orElseThrow();
    try {
      outcome = chain.settle(deposit.payload(), deposit.terms());
    } catch (IllegalStateException e) {
      outcome = new Settlement.Unknown("facilitator_failed", null);
    }
    return Step.RECORD;
  }

  private Step record() {
    Settlement end = Objects.requireNonNull(outcome);
    boolean recorded = ledger.settled(held(), end);
    payers.ends(this);
    if (!recorded || end instanceof Settlement.Unknown || end instanceof Settlement.Unsent) {
      return answer(503, "unsettled");
    }
    return end instanceof Settlement.Refused refused ? answer(402, refused.reason()) : Step.LEAVE;
  }

  private Step leave() {
    if (random.nextInt(6) == 0) {
      ledger.unanswered(held());
      return answer(0, "lost on the way");
    }
    payers.served(this, charge);
    return Step.NOTE;
  }

  private Step note() {
    ledger.delivered(held());
    return Step.DONE;
  }

  private Step answer(int status, String reason) {
    payers.answered(this, status, reason);
    if (reason.equals(ChannelUse.MISMATCH)) {
      payers.corrected(voucher.channel(), ledger.channels());
    }
    return Step.DONE;
  }
}
