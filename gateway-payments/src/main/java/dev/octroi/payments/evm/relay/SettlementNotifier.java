package dev.octroi.payments.evm.relay;

import dev.octroi.payments.evm.EvmAddress;
import dev.octroi.payments.evm.Hex;
import dev.octroi.payments.facilitator.Evidence;
import dev.octroi.payments.facilitator.PaymentKey;
import dev.octroi.payments.facilitator.Settlement;
import dev.octroi.payments.facilitator.UnresolvedPayment;
import dev.octroi.payments.facilitator.UnresolvedPayments;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * Tells proven ends of payments where no transaction of this node does: to the ledger, which let
 * answers leave on a sent transaction, and to callers whose payment a third party submitted or
 * another node followed to its end. Thread-safe.
 */
final class SettlementNotifier {

  private static final int MOST = 500;
  private static final int THREADS = 16;

  /**
   * For this long after it was sent, the follower of a transaction is the one to tell of its end.
   */
  private static final Duration LOOK_UP_AFTER = Duration.ofMillis(1_500);

  private final TransactionStore store;
  private final PendingSettlements pending;
  private final Evidence evidence;
  private final String network;
  private final Clock clock;

  SettlementNotifier(
      TransactionStore store,
      PendingSettlements pending,
      Evidence evidence,
      String network,
      Clock clock) {
    this.store = store;
    this.pending = pending;
    this.evidence = evidence;
    this.network = network;
    this.clock = clock;
  }

  /** Tells callers of this node. */
  void bring() {
    Instant now = clock.instant();
    for (PendingSettlements.Entry entry : pending.entries()) {
      if (entry.waiting().sentBefore(now.minus(LOOK_UP_AFTER))) {
        lookUp(entry);
      }
    }
  }

  /** Tells the ledger, in some threads at once so that it can write in batches. */
  void close(UnresolvedPayments unresolved) {
    List<UnresolvedPayment> open = unresolved.since(clock.instant(), MOST);
    if (open.isEmpty()) {
      return;
    }
    ExecutorService threads = Executors.newFixedThreadPool(Math.min(open.size(), THREADS));
    try {
      CompletableFuture.allOf(
              open.stream()
                  .map(one -> CompletableFuture.runAsync(() -> close(unresolved, one), threads))
                  .toArray(CompletableFuture[]::new))
          .join();
    } finally {
      threads.shutdown();
    }
  }

  private void lookUp(PendingSettlements.Entry entry) {
    TransferCall call = entry.call();
    Optional<Settlement> found =
        store
            .read()
            .paidBy(call.payer(), call.nonce())
            .<Settlement>map(Settlement.Settled::new)
            .or(() -> store.read().isUnderWay(call) ? Optional.empty() : evidence.of(asked(entry)));
    found.ifPresent(settlement -> pending.tell(call, settlement));
  }

  private UnresolvedPayment asked(PendingSettlements.Entry entry) {
    TransferCall call = entry.call();
    return new UnresolvedPayment(
        new UUID(0, 0),
        1,
        new PaymentKey(network, call.payer().lowerCase(), Hex.of(call.nonce())),
        call.token().toString(),
        call.payTo().toString(),
        call.amount().longValueExact(),
        StoredRows.end(call),
        clock.instant(),
        entry.waiting().hash(),
        false);
  }

  /** Only what our own final transactions prove; the rest is the reconciler's, with evidence. */
  private void close(UnresolvedPayments open, UnresolvedPayment payment) {
    if (payment.key().network().equals(network)) {
      byte[] nonce = Hex.parse(payment.key().nonce());
      store
          .read()
          .paidBy(EvmAddress.parse(payment.key().payer()), nonce)
          .ifPresent(hash -> open.close(payment, new Settlement.Settled(hash)));
    }
  }
}
