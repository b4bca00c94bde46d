package dev.octroi.payments.simulation;

import dev.octroi.payments.facilitator.ChannelUse;
import dev.octroi.payments.facilitator.Settlement;
import dev.octroi.payments.ledger.Channels.ChannelRefundResult;
import dev.octroi.payments.ledger.jdbc.JdbcLedger;
import dev.octroi.payments.simulation.SimulatedContract.Held;
import java.time.Clock;
import java.time.Instant;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The payer of a channel asks for what is left in it; the steps are those of the gate. */
final class SimulatedChannelRefund implements SimulatedWork {

  private enum Step {
    HOLD,
    GIVE,
    FREE,
    DONE
  }

  private final String channel;
  private final long before;
  private final SimulatedNode node;
  private final JdbcLedger ledger;
  private final SimulatedChain chain;
  private final SimulatedPayers payers;
  private final Clock clock;
  private Step step = Step.HOLD;
  private Instant since = Instant.MIN;
  private @Nullable UUID hold;
  private long amount;

  /** A refund of a channel that was charged so much, as its payer counts. */
  SimulatedChannelRefund(
      String channel,
      long before,
      SimulatedNode node,
      SimulatedChain chain,
      SimulatedPayers payers,
      Clock clock) {
    this.channel = channel;
    this.before = before;
    this.node = node;
    this.ledger = node.ledger();
    this.chain = chain;
    this.payers = payers;
    this.clock = clock;
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
    return "refund of " + channel + " after " + before + " on " + node.name() + ": " + step;
  }

  @Override
  public boolean go() {
    step =
        switch (step) {
          case HOLD -> hold();
          case GIVE -> give();
          case FREE -> free();
          case DONE -> Step.DONE;
        };
    return true;
  }

  private Step hold() {
    ChannelRefundResult result = ledger.channels().hold(Voucher.NETWORK, channel, before);
    if (result instanceof ChannelRefundResult.Begun begun) {
      hold = begun.hold();
      since = clock.instant();
      return Step.GIVE;
    }
    if (result.equals(new ChannelRefundResult.Refused(ChannelUse.MISMATCH))) {
      payers.corrected(channel, ledger.channels());
    }
    return Step.DONE;
  }

  /** One that takes too long is taken for one whose node died. */
  private Step give() {
    if (clock.instant().isAfter(since.plus(SimulatedNode.REFUND.dividedBy(2)))) {
      return Step.DONE;
    }
    Settlement outcome;
    try {
      Held now = node.readings().read(channel);
      amount = now.balance() - Math.max(before, now.claimed());
      outcome = amount > 0 ? chain.refund(channel, amount) : new Settlement.Unsent("nothing_left");
    } catch (IllegalStateException e) {
      outcome = new Settlement.Unsent("chain_unavailable");
    }
    if (outcome instanceof Settlement.Unsent) {
      amount = 0;
      return Step.FREE;
    }
    if (outcome instanceof Settlement.Settled) {
      var unused = node.readings().read(channel);
      return Step.FREE;
    }
    return Step.DONE;
  }

  private Step free() {
    var unused =
        ledger.channels().refunded(Voucher.NETWORK, channel, Objects.requireNonNull(hold), amount);
    return Step.DONE;
  }
}
