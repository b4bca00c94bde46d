package dev.octroi.payments.evm.relay;

import dev.octroi.payments.evm.ChannelNonce;
import dev.octroi.payments.evm.EvmAddress;
import dev.octroi.payments.evm.Hex;
import dev.octroi.payments.facilitator.Evidence;
import dev.octroi.payments.facilitator.PaymentKey;
import dev.octroi.payments.facilitator.Settlement;
import dev.octroi.payments.facilitator.UnresolvedPayments;
import dev.octroi.payments.facilitator.UnresolvedPayments.UnresolvedPayment;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

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
            .paidBy(call.owner(), call.nonce())
            .<Settlement>map(Settlement.Settled::new)
            .or(() -> store.read().isUnderWay(call) ? Optional.empty() : proven(entry));
    found.ifPresent(settlement -> pending.tell(call, settlement));
  }

  /** What a deposit paid is told by its payment's own key, which the ledger has. */
  private Optional<Settlement> proven(PendingSettlements.Entry entry) {
    boolean isPlain = entry.call().owner().length == EvmAddress.BYTES;
    return isPlain ? evidence.of(asked(entry)) : Optional.empty();
  }

  private UnresolvedPayment asked(PendingSettlements.Entry entry) {
    TransferCall call = entry.call();
    return new UnresolvedPayment(
        new UUID(0, 0),
        1,
        new PaymentKey(network, call.payer().lowerCase(), Hex.of(call.nonce())),
        call.token().toString(),
        call.payTo().toString(),
        entry.waiting().micros(),
        call.end(),
        clock.instant(),
        entry.waiting().hash(),
        false);
  }

  /** Only what our own final transactions prove; the rest is the reconciler's, with evidence. */
  private void close(UnresolvedPayments open, UnresolvedPayment payment) {
    if (payment.key().network().equals(network)) {
      byte[] owner = Hex.parse(payment.key().payer());
      byte[] nonce = Hex.parse(payment.key().nonce());
      byte[] used =
          ChannelNonce.deposit(nonce)
              .map(deposit -> ChannelNonce.used(owner, deposit))
              .orElse(nonce);
      store
          .read()
          .paidBy(owner, used)
          .ifPresent(hash -> open.close(payment, new Settlement.Settled(hash)));
    }
  }

  /** A caller that waits for the end of a payment. Thread-safe. */
  static final class Waiting {

    private static final String PENDING = "settlement_pending";

    private final long micros;
    private final CompletableFuture<Settlement> end = new CompletableFuture<>();
    private final AtomicBoolean decided = new AtomicBoolean();
    private volatile @Nullable String hash;
    private volatile @Nullable Instant storedAt;

    /** For a payment of so many millionths of a dollar. */
    Waiting(long micros) {
      this.micros = micros;
    }

    long micros() {
      return micros;
    }

    /** True once: for the sender of the payment, or for the waiting caller, who calls it off. */
    boolean decide() {
      return decided.compareAndSet(false, true);
    }

    /** It is stored under this hash, so that from now on it may be sent whatever happens. */
    void stored(String transaction, Instant now) {
      hash = transaction;
      storedAt = now;
    }

    @Nullable String hash() {
      return hash;
    }

    /** Whether it was last stored for sending before this moment. */
    boolean sentBefore(Instant moment) {
      Instant stored = storedAt;
      return stored != null && stored.isBefore(moment);
    }

    void tell(Settlement settlement) {
      end.complete(settlement);
    }

    /** How it ended; unknown if that takes too long, unless it could still be called off. */
    Settlement await(Duration atMost) {
      try {
        return end.get(Math.max(atMost.toNanos(), 0), TimeUnit.NANOSECONDS);
      } catch (TimeoutException e) {
        return decide() ? new Settlement.Unsent("relay_busy") : pending();
      } catch (ExecutionException e) {
        throw new IllegalStateException("a wait was completed with a failure", e);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return decide() ? new Settlement.Unsent("interrupted") : pending();
      }
    }

    private Settlement pending() {
      return new Settlement.Unknown(PENDING, hash);
    }
  }

  /**
   * Who waits for which payment on this node, by its owner and nonce: a payer may sign by one nonce
   * for a payment and for a deposit, or for deposits into several channels, of which one moves.
   * Thread-safe.
   */
  static final class PendingSettlements {

    /** A payment and who waits for it. */
    record Entry(TransferCall call, Waiting waiting) {}

    private final Map<String, Entry> entries = new ConcurrentHashMap<>();

    /** Enters a newcomer; returns what waits for this payment already, if any. */
    Optional<Waiting> enter(TransferCall call, Waiting newcomer) {
      return Optional.ofNullable(entries.putIfAbsent(key(call), new Entry(call, newcomer)))
          .map(Entry::waiting);
    }

    void leave(TransferCall call, Waiting gone) {
      entries.computeIfPresent(key(call), (key, entry) -> entry.waiting() == gone ? null : entry);
    }

    /** All that wait at this moment. */
    List<Entry> entries() {
      return List.copyOf(entries.values());
    }

    void tell(TransferCall call, Settlement settlement) {
      Entry entry = entries.get(key(call));
      if (entry != null) {
        entry.waiting().tell(settlement);
      }
    }

    void stored(TransferCall call, String hash, Instant now) {
      Entry entry = entries.get(key(call));
      if (entry != null) {
        entry.waiting().stored(hash, now);
      }
    }

    private static String key(TransferCall call) {
      return Hex.of(call.owner()) + Hex.of(call.nonce());
    }
  }
}
