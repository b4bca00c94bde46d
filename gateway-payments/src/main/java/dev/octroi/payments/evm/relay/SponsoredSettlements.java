package dev.octroi.payments.evm.relay;

import dev.octroi.payments.evm.chain.ApprovalFunds;
import dev.octroi.payments.evm.chain.ApprovalFunds.ApprovalProgress;
import dev.octroi.payments.evm.chain.ApprovalFunds.ApprovalReading;
import dev.octroi.payments.evm.chain.ApprovalFunds.ApprovalState;
import dev.octroi.payments.evm.chain.ApprovalFunds.NotSponsored;
import dev.octroi.payments.evm.chain.ApprovalFunds.Sponsored;
import dev.octroi.payments.evm.chain.JsonRpc;
import dev.octroi.payments.evm.chain.KnownBlock;
import dev.octroi.payments.evm.chain.Quantities;
import dev.octroi.payments.evm.permit2.TokenApproval;
import dev.octroi.payments.evm.relay.Follower.Head;
import dev.octroi.payments.evm.relay.Sender.Order;
import dev.octroi.payments.evm.relay.SettlementNotifier.PendingSettlements;
import dev.octroi.payments.evm.relay.TransactionSender.Broadcast;
import dev.octroi.payments.evm.relay.TransactionSender.Fees;
import dev.octroi.payments.evm.relay.TransactionStore.RelayedTransaction.TransactionState;
import dev.octroi.payments.facilitator.Settlement;
import dev.octroi.payments.x402.PaymentHeaders;
import java.math.BigInteger;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Settles payments whose payers bring an approval and no gas: gives them what they are short of,
 * sends the approval once that is final, and the settlement once the approval is there. The entry
 * of a payment and the transaction that gives gas are one commit, and all else is told by the chain
 * and the database, so that any node can go on and none gives twice.
 *
 * <p>It is not atomic: a payer that uses its nonce for something else keeps what it was given.
 */
final class SponsoredSettlements {

  private static final Logger LOG = LoggerFactory.getLogger(SponsoredSettlements.class);

  private final ApprovalFunds funds;
  private final TransactionSender transactionSender;
  private final Conclusion conclusion;
  private final PendingSettlements pending;
  private final JsonRpc rpc;
  private final RelaySettings settings;
  private final Clock clock;
  private final Map<String, Instant> sent = new ConcurrentHashMap<>();

  SponsoredSettlements(
      ApprovalFunds funds,
      TransactionSender transactionSender,
      Conclusion conclusion,
      PendingSettlements pending,
      JsonRpc rpc,
      RelaySettings settings,
      Clock clock) {
    this.funds = funds;
    this.transactionSender = transactionSender;
    this.conclusion = conclusion;
    this.pending = pending;
    this.rpc = rpc;
    this.settings = settings;
    this.clock = clock;
  }

  /**
   * Begins with a payment, or goes on waiting for it; false where Permit2 may move the money
   * already. May throw {@link dev.octroi.payments.evm.chain.ChainUnavailable}; nothing is stored
   * then.
   */
  boolean begins(Order order, TokenApproval approval, Situation now, Fees fees) {
    TransferCall call = order.call();
    if (funds.isOpen(call.payer(), call.token(), call.data())) {
      return true;
    }
    if (funds.progress(call.payer(), call.token()).allowed().compareTo(call.amount()) >= 0) {
      return false;
    }
    ApprovalReading reading = funds.read(call.payer(), call.token(), approval);
    if (reading.broken() != null) {
      order.waiting().tell(new Settlement.Unsent(reading.broken()));
      return true;
    }
    Sponsored entered =
        new Sponsored(
            call.payer(),
            call.token(),
            call.data(),
            approval.raw(),
            approval.nonce(),
            null,
            reading.missing());
    try {
      if (reading.missing().signum() == 0) {
        funds.enter(entered, transactionSender.node());
      } else {
        fund(order, entered, now, fees);
      }
    } catch (NotSponsored e) {
      order.waiting().tell(new Settlement.Unsent(PaymentHeaders.ALLOWANCE_MISSING));
    }
    return true;
  }

  private void fund(Order order, Sponsored entered, Situation now, Fees fees) {
    Draft draft = Draft.gift(entered.payer(), entered.given());
    Optional<RelayerKey> relayer = transactionSender.relayerFor(draft, now, fees);
    if (relayer.isEmpty()) {
      order.waiting().tell(new Settlement.Unsent("relayer_out_of_gas"));
      return;
    }
    LOG.info("Payer {} is given {} wei for an approval", entered.payer(), entered.given());
    transactionSender.sendOnce(
        relayer.get(),
        draft,
        now,
        fees,
        (handle, hash) -> funds.enter(handle, entered.fundedBy(hash), transactionSender.node()));
  }

  /** One round; returns whether any payment waits for its approval. */
  boolean round(Situation now, Head head) {
    funds.look(now.fees().max());
    List<Sponsored> open =
        funds.open(transactionSender.node(), clock.instant().minus(settings.takeover()));
    for (Sponsored one : open) {
      try {
        goOn(one, now, head);
      } catch (RuntimeException e) {
        LOG.warn("The approval of {} is left for the next round: {}", one.payer(), e.toString());
        LOG.debug("What went wrong with it", e);
      }
    }
    return !open.isEmpty();
  }

  private void goOn(Sponsored one, Situation now, Head head) {
    TransferCall call = TransferCall.of(one.token(), one.call(), rpc.chainId());
    if (isStored(call)) {
      // It may have used the approval up, which would look as if there had been none.
      funds.end(one, ApprovalState.DONE);
      return;
    }
    if (!transactionSender.maySend(call)) {
      return;
    }
    funds.hold(one, transactionSender.node());
    if (one.funding() != null) {
      TransactionState funding = transactionSender.stored().state(one.funding());
      if (funding.isUnderWay()) {
        return;
      }
      if (funding == TransactionState.REPLACED) {
        funds.forget(one);
        pending.tell(call, new Settlement.Refused(TokenApproval.NOT_BROADCAST));
        return;
      }
    }
    ApprovalProgress said = funds.progress(one.payer(), one.token());
    boolean isOver =
        call.validBefore().compareTo(BigInteger.valueOf(head.time().getEpochSecond())) <= 0;
    if (said.allowed().compareTo(call.amount()) >= 0) {
      settle(one, call, now);
    } else if (isOver || isInVain(one, call, said, head)) {
      KnownBlock block = new KnownBlock(rpc, head.number(), head.time());
      boolean isUsed = call.isUsed(block.said(call.state()));
      lose(one);
      // A stranger may have settled it, and used the approval up: evidence tells.
      if (!isUsed) {
        pending.tell(call, new Settlement.Refused(TokenApproval.NOT_BROADCAST));
      }
    } else if (said.next() <= one.nonce()) {
      broadcast(one);
    }
  }

  /** Whether something else took the approval's nonce, in a block that may be trusted to stay. */
  private boolean isInVain(Sponsored one, TransferCall call, ApprovalProgress said, Head head) {
    if (said.next() <= one.nonce()) {
      return false;
    }
    long deep = Math.max(head.number() - settings.confirmations() + 1, 0);
    ApprovalProgress stays = funds.progress(one.payer(), one.token(), Quantities.hex(deep));
    return stays.next() > one.nonce() && stays.allowed().compareTo(call.amount()) < 0;
  }

  private boolean isStored(TransferCall call) {
    return transactionSender.stored().isUnderWay(call)
        || transactionSender.stored().paidBy(call.owner(), call.nonce()).isPresent();
  }

  private void lose(Sponsored one) {
    if (one.given().signum() == 0) {
      funds.forget(one);
    } else {
      LOG.warn("Payer {} kept {} wei that it was given for gas", one.payer(), one.given());
      funds.end(one, ApprovalState.LOST);
    }
  }

  private void settle(Sponsored one, TransferCall call, Situation now) {
    if (isStored(call) || conclusion.send(call, Draft.first(call), now)) {
      funds.end(one, ApprovalState.DONE);
    }
  }

  private void broadcast(Sponsored one) {
    SignedTransaction approval = SignedTransaction.of(one.approval());
    Instant before = clock.instant().minus(settings.resendAfter());
    sent.values().removeIf(at -> at.isBefore(before));
    if (!sent.containsKey(approval.hash())
        && new Broadcast(rpc).send(approval) == Broadcast.Heard.TAKEN) {
      sent.put(approval.hash(), clock.instant());
    }
  }
}
