package dev.octroi.payments.evm.relay;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import dev.octroi.payments.evm.chain.ChainUnavailable;
import dev.octroi.payments.evm.chain.PaidTransfer;
import dev.octroi.payments.evm.chain.Quantities;
import dev.octroi.payments.evm.relay.Follower.Head;
import dev.octroi.payments.evm.relay.ReceiptEvaluator.Verdict;
import dev.octroi.payments.evm.relay.SettlementNotifier.PendingSettlements;
import dev.octroi.payments.evm.relay.TransactionSender.Fees;
import dev.octroi.payments.evm.relay.TransactionStore.RelayedTransaction;
import dev.octroi.payments.facilitator.Settlement;
import java.math.BigInteger;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends a transaction: has its payments judged, sends again what failed in company, writes down what
 * became of each, and only then tells those who wait. Not thread-safe.
 */
record Conclusion(
    TransactionStore store,
    TransactionSender transactionSender,
    ReceiptEvaluator evaluator,
    PendingSettlements pending,
    RelaySettings settings,
    Clock clock) {

  private static final Logger LOG = LoggerFactory.getLogger(Conclusion.class);

  /** Of a fee; as many as the database keeps. */
  private static final int MOST_BITS = 120;

  /** It is in a block deep enough. Left for the next round if a payment cannot go on now. */
  void of(RelayedTransaction transaction, JsonNode receipt, Head head, Situation now) {
    List<TransferCall> calls = store.read().calls(transaction.hash());
    List<Verdict> verdicts = verdicts(transaction, calls, receipt, calls.size() > 1, head);
    if (goOn(transaction, calls, verdicts, now)) {
      store.finish(
          transaction,
          Quantities.small(receipt.path("blockNumber")),
          calls.isEmpty() ? spent(transaction, receipt) : fee(receipt),
          verdicts.stream().map(Conclusion::outcome).toList());
      tell(transaction, calls, verdicts);
    }
  }

  /**
   * What the relayer has paid, in wei: for the gas, and on rollups that say so for their data on
   * the chain below. Null where the receipt does not tell it: payments do not wait for that.
   */
  static @Nullable BigInteger fee(JsonNode receipt) {
    try {
      BigInteger gas =
          Quantities.of(receipt.path("gasUsed"))
              .multiply(Quantities.of(receipt.path("effectiveGasPrice")));
      JsonNode data = receipt.path("l1Fee");
      BigInteger fee = data.isTextual() ? gas.add(Quantities.of(data)) : gas;
      return fee.bitLength() <= MOST_BITS ? fee : null;
    } catch (ChainUnavailable untold) {
      return null;
    }
  }

  /** The fee with what it gave away, such as gas money for a payer. */
  private @Nullable BigInteger spent(RelayedTransaction transaction, JsonNode receipt) {
    BigInteger fee = fee(receipt);
    boolean gave = PaidTransfer.succeeded(receipt);
    return fee == null || !gave ? fee : fee.add(transactionSender.draft(transaction).value());
  }

  /** Its nonce went to a stranger's transaction: its payments go on under other nonces. */
  void ofLost(RelayedTransaction transaction, Head head, Situation now) {
    List<TransferCall> calls = store.read().calls(transaction.hash());
    List<Verdict> verdicts = verdicts(transaction, calls, NullNode.getInstance(), true, head);
    if (goOn(transaction, calls, verdicts, now)) {
      store.replaced(transaction.relayer(), transaction.nonce());
      tell(transaction, calls, verdicts);
    }
  }

  private List<Verdict> verdicts(
      RelayedTransaction transaction,
      List<TransferCall> calls,
      JsonNode receipt,
      boolean again,
      Head head) {
    return calls.stream()
        .map(
            call ->
                evaluator.of(
                    call, () -> transactionSender.draft(transaction), receipt, again, head))
        .toList();
  }

  private boolean goOn(
      RelayedTransaction transaction,
      List<TransferCall> calls,
      List<Verdict> verdicts,
      Situation now) {
    boolean all = true;
    for (int i = 0; i < calls.size(); i++) {
      if (verdicts.get(i) instanceof Verdict.Again again
          && !store.read().isElsewhere(calls.get(i), transaction)) {
        all &= send(calls.get(i), again.draft(), now);
      }
    }
    return all;
  }

  /** Sends one payment by itself; false if that cannot be now. */
  boolean send(TransferCall call, Draft draft, Situation now) {
    Fees fees = now.within(settings.feeCap());
    Optional<RelayerKey> relayer = transactionSender.relayerFor(draft, now, fees);
    if (relayer.isEmpty() || !fees.isWithin(settings.feeCap())) {
      LOG.warn("The payment of {} cannot go out alone now, and is tried again", call.payer());
      return false;
    }
    LOG.info("The payment of {} goes out alone", call.payer());
    transactionSender.send(
        relayer.get(), draft, now, fees, hash -> pending.stored(call, hash, clock.instant()));
    return true;
  }

  private static PartOutcome outcome(Verdict verdict) {
    if (verdict instanceof Verdict.Paid) {
      return PartOutcome.PAID;
    }
    return verdict instanceof Verdict.Again ? PartOutcome.MOVED : PartOutcome.NOT_PAID;
  }

  private void tell(
      RelayedTransaction transaction, List<TransferCall> calls, List<Verdict> verdicts) {
    for (int i = 0; i < calls.size(); i++) {
      if (verdicts.get(i) instanceof Verdict.Paid) {
        pending.tell(calls.get(i), new Settlement.Settled(transaction.hash()));
      } else if (verdicts.get(i) instanceof Verdict.Failed failed) {
        pending.tell(calls.get(i), new Settlement.Refused(failed.reason()));
      }
    }
  }

  /** What became of a payment in one transaction. */
  enum PartOutcome {
    OPEN,
    /** Proven by its own pair of logs. */
    PAID,
    /** The transaction is final and did not move it; another one may have. */
    NOT_PAID,
    /** It goes on in a transaction of its own. */
    MOVED
  }
}
