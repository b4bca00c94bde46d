package dev.octroi.payments.evm.relay;

import com.fasterxml.jackson.databind.JsonNode;
import dev.octroi.payments.chain.RpcConnection.RpcCall;
import dev.octroi.payments.evm.EvmAddress;
import dev.octroi.payments.evm.chain.JsonRpc;
import dev.octroi.payments.evm.chain.Quantities;
import dev.octroi.payments.evm.relay.TransactionSender.Broadcast;
import dev.octroi.payments.evm.relay.TransactionSender.Fees;
import dev.octroi.payments.evm.relay.TransactionStore.RelayedTransaction;
import dev.octroi.payments.evm.relay.TransactionStore.RelayedTransaction.TransactionState;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Follows every transaction that is under way to its end: sends again what is lost, dearer what is
 * stuck, and has the payments of what is final judged. All it knows is in the database, so that any
 * node can go on where another one died. Not thread-safe.
 */
record Follower(
    TransactionStore store,
    TransactionSender transactionSender,
    Relayers relayers,
    JsonRpc rpc,
    Conclusion conclusion,
    Optional<SponsoredSettlements> sponsored,
    RelaySettings settings,
    Clock clock) {

  private static final Logger LOG = LoggerFactory.getLogger(Follower.class);

  /** Of a round; what is left is for the next. */
  private static final int MOST = 1_000;

  /** Receipts of large batches are large. */
  private static final int RECEIPTS = 25;

  /** One round; returns whether anything is under way. */
  boolean round() {
    List<RelayedTransaction> underWay =
        store.read().underWay(clock.instant().minus(settings.takeover()), MOST);
    Situation now = Situation.read(rpc, relayers.addresses(), List.of());
    relayers.look(now, store.read().load());
    Set<EvmAddress> asked = new HashSet<>(relayers.addresses());
    underWay.forEach(transaction -> asked.add(transaction.relayer()));
    Head head = Head.read(rpc, asked);
    List<NonceGroup> mined = new ArrayList<>();
    for (NonceGroup group : NonceGroup.of(underWay)) {
      if (head.hasMined(group)) {
        mined.add(group);
      } else {
        apart(group, () -> push(group, head, now));
      }
    }
    for (int i = 0; i < mined.size(); i += RECEIPTS) {
      settle(mined.subList(i, Math.min(i + RECEIPTS, mined.size())), head, now);
    }
    for (RelayerKey relayer : relayers.all()) {
      closeGap(relayer, head, now);
    }
    boolean isSponsoring = sponsored.map(all -> all.round(now, head)).orElse(false);
    return isSponsoring || !underWay.isEmpty();
  }

  /** What is in no block is sent again, if it has waited long enough or was in one before. */
  private void push(NonceGroup group, Head head, Situation now) {
    boolean takenBack = false;
    for (RelayedTransaction transaction : group.transactions()) {
      if (transaction.state() == TransactionState.MINED) {
        LOG.warn("The chain took transaction {} back", transaction.hash());
        store.unmined(transaction.hash());
        takenBack = true;
      }
    }
    RelayedTransaction last = group.dearest();
    if (takenBack) {
      group.hashes().forEach(transactionSender::again);
    } else if (isOlder(last.sentAt(), settings.resendAfter())) {
      Optional<RelayerKey> relayer = relayers.find(group.relayer());
      boolean over = last.goodUntil().isBefore(head.time());
      if (relayer.isPresent() && over) {
        replace(last, relayer.get(), Draft.filler(group.relayer()), now);
      } else if (relayer.isPresent() && isStuck(group, head, now)) {
        replace(last, relayer.get(), transactionSender.draft(last), now);
      } else {
        transactionSender.again(last.hash());
      }
    }
  }

  /** It was taken, and yet blocks pass it by: it is next, or its fees have become too low. */
  private static boolean isStuck(NonceGroup group, Head head, Situation now) {
    RelayedTransaction last = group.dearest();
    boolean tooCheap = last.fees().max().compareTo(now.baseFee().add(now.fees().tip())) < 0;
    return last.state() == TransactionState.SENT && (head.isNext(group) || tooCheap);
  }

  private void replace(RelayedTransaction stuck, RelayerKey relayer, Draft draft, Situation now) {
    Fees fees = stuck.fees().raised().atLeast(now.within(settings.feeCap()));
    if (fees.isWithin(settings.feeCap())) {
      transactionSender.instead(stuck, relayer, draft, fees);
    } else {
      LOG.warn("Transaction {} is stuck at the fee cap of {} wei", stuck.hash(), settings.feeCap());
      transactionSender.again(stuck.hash());
    }
  }

  private void settle(List<NonceGroup> mined, Head head, Situation now) {
    List<RpcCall> calls = new ArrayList<>();
    for (NonceGroup group : mined) {
      group.hashes().forEach(hash -> calls.add(RpcCall.of("eth_getTransactionReceipt", hash)));
    }
    List<JsonNode> receipts = rpc.read(calls);
    int next = 0;
    for (NonceGroup group : mined) {
      int end = next + group.transactions().size();
      List<JsonNode> own = receipts.subList(next, end);
      apart(group, () -> settle(group, own, head, now));
      next = end;
    }
  }

  private void settle(NonceGroup group, List<JsonNode> receipts, Head head, Situation now) {
    for (int i = 0; i < receipts.size(); i++) {
      if (!receipts.get(i).isNull()) {
        settle(group.transactions().get(i), receipts.get(i), head, now);
        return;
      }
    }
    if (isOlder(group.dearest().sentAt(), settings.resendAfter())
        && transactionSender.usedBy(group.relayer(), group.nonce()) == Broadcast.Heard.NONCE_USED) {
      LOG.warn(
          "Nonce {} of {} was used by a transaction that no node here sent",
          group.nonce(),
          group.relayer());
      conclusion.ofLost(group.dearest(), head, now);
    }
  }

  private void settle(RelayedTransaction transaction, JsonNode receipt, Head head, Situation now) {
    long block = Quantities.small(receipt.path("blockNumber"));
    if (head.number() - block + 1 >= settings.confirmations()) {
      conclusion.of(transaction, receipt, head, now);
    } else if (transaction.block() == null || transaction.block() != block) {
      store.mined(transaction.hash(), block);
    }
  }

  /** What goes wrong with one must not stop the others. */
  private static void apart(NonceGroup group, Runnable work) {
    try {
      work.run();
    } catch (RuntimeException e) {
      LOG.warn(
          "Transaction {} is left for the next round: {}", group.dearest().hash(), e.toString());
      LOG.debug("What went wrong with it", e);
    }
  }

  /** A nonce that nothing has holds up all that come after it. */
  private void closeGap(RelayerKey relayer, Head head, Situation now) {
    EvmAddress address = relayer.address();
    long next = head.mined().getOrDefault(address, 0L);
    if (next >= store.nextNonce(address)) {
      return;
    }
    List<RelayedTransaction> there = store.read().ofNonce(address, next);
    if (there.stream().anyMatch(transaction -> transaction.state().isUnderWay())) {
      return;
    }
    Optional<RelayedTransaction> finished =
        there.stream().filter(one -> one.state() == TransactionState.FINAL).findFirst();
    Optional<RelayedTransaction> dearest =
        there.isEmpty() ? Optional.empty() : Optional.of(there.get(there.size() - 1));
    // As dear as one that lost the nonce before, it would be the same transaction.
    Fees fees =
        dearest
            .map(lost -> lost.fees().raised().atLeast(now.within(settings.feeCap())))
            .orElseGet(() -> now.within(settings.feeCap()));
    if (finished.isPresent()) {
      LOG.error(
          "The chain took back transaction {}, which was final at {} confirmations: set"
              + " gateway.chain.confirmations higher",
          finished.get().hash(),
          settings.confirmations());
      transactionSender.again(finished.get().hash());
    } else if (fees.isWithin(settings.feeCap())) {
      transactionSender.fill(relayer, next, fees);
    } else {
      dearest.map(RelayedTransaction::hash).ifPresent(transactionSender::again);
    }
  }

  private boolean isOlder(Instant sent, Duration age) {
    Instant before = clock.instant().minus(age);
    return before.isAfter(sent) || sent.isAfter(before.plus(TransactionQueries.AHEAD));
  }

  /**
   * The chain's latest block, and how far it has come with each relayer, asked in one round trip.
   *
   * @param number the block's height
   * @param time when it was made
   * @param mined how many transactions of each relayer the chain has, which is the nonce that is
   *     next
   */
  record Head(long number, Instant time, Map<EvmAddress, Long> mined) {

    /** Asks the chain; throws {@link dev.octroi.payments.evm.chain.ChainUnavailable}. */
    static Head read(JsonRpc rpc, Collection<EvmAddress> relayers) {
      List<EvmAddress> asked = List.copyOf(relayers);
      List<RpcCall> calls = new ArrayList<>();
      calls.add(RpcCall.of("eth_getBlockByNumber", "latest", false));
      asked.forEach(
          relayer ->
              calls.add(RpcCall.of("eth_getTransactionCount", relayer.lowerCase(), "latest")));
      List<JsonNode> answers = rpc.read(calls);
      Map<EvmAddress, Long> mined = new HashMap<>();
      for (int i = 0; i < asked.size(); i++) {
        mined.put(asked.get(i), Quantities.small(answers.get(1 + i)));
      }
      JsonNode block = answers.get(0);
      return new Head(
          Quantities.small(block.path("number")),
          Instant.ofEpochSecond(Quantities.small(block.path("timestamp"))),
          mined);
    }

    boolean hasMined(NonceGroup group) {
      return group.nonce() < mined.getOrDefault(group.relayer(), 0L);
    }

    /** Whether every transaction of this relayer before it is in a block. */
    boolean isNext(NonceGroup group) {
      return group.nonce() == mined.getOrDefault(group.relayer(), 0L);
    }
  }

  /**
   * The transactions of one nonce, of which the chain takes one.
   *
   * @param transactions the cheapest first; at least one
   */
  record NonceGroup(List<RelayedTransaction> transactions) {

    NonceGroup {
      transactions = List.copyOf(transactions);
    }

    /** Groups what is sorted by relayer and nonce. */
    static List<NonceGroup> of(List<RelayedTransaction> sorted) {
      List<NonceGroup> groups = new ArrayList<>();
      List<RelayedTransaction> current = new ArrayList<>();
      for (RelayedTransaction transaction : sorted) {
        if (!current.isEmpty() && !isSameNonce(current.get(0), transaction)) {
          groups.add(new NonceGroup(current));
          current = new ArrayList<>();
        }
        current.add(transaction);
      }
      if (!current.isEmpty()) {
        groups.add(new NonceGroup(current));
      }
      return groups;
    }

    private static boolean isSameNonce(RelayedTransaction one, RelayedTransaction other) {
      return one.relayer().equals(other.relayer()) && one.nonce() == other.nonce();
    }

    EvmAddress relayer() {
      return dearest().relayer();
    }

    long nonce() {
      return dearest().nonce();
    }

    /** The one that the chain would take. */
    RelayedTransaction dearest() {
      return transactions.get(transactions.size() - 1);
    }

    List<String> hashes() {
      return transactions.stream().map(RelayedTransaction::hash).toList();
    }
  }
}
