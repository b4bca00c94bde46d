package dev.octroi.payments.evm.relay;

import dev.octroi.payments.evm.EvmAddress;
import dev.octroi.payments.evm.Hex;
import dev.octroi.payments.facilitator.Evidence;
import dev.octroi.payments.facilitator.PaymentKey;
import dev.octroi.payments.facilitator.Settlement;
import dev.octroi.payments.facilitator.Undecided;
import dev.octroi.payments.facilitator.UndecidedPayment;
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
 * Brings what is proven to those whom no transaction of this node tells: the ledger, which let
 * answers leave on what was sent, and callers whose payment somebody else submitted or another node
 * followed to its end. Thread-safe.
 */
final class Tidings {

  private static final int MOST = 500;
  private static final int THREADS = 16;

  /** Until then a transaction's own end comes first. */
  private static final Duration PATIENCE = Duration.ofMillis(1_500);

  private final TransactionStore store;
  private final WaitingRoom room;
  private final Evidence evidence;
  private final String network;
  private final Clock clock;

  Tidings(
      TransactionStore store, WaitingRoom room, Evidence evidence, String network, Clock clock) {
    this.store = store;
    this.room = room;
    this.evidence = evidence;
    this.network = network;
    this.clock = clock;
  }

  /** Tells callers of this node. */
  void bring() {
    Instant now = clock.instant();
    for (WaitingRoom.Guest guest : room.guests()) {
      if (guest.waiting().sentBefore(now.minus(PATIENCE))) {
        lookUp(guest);
      }
    }
  }

  /** Tells the ledger, in some threads at once so that it can write in batches. */
  void close(Undecided undecided) {
    List<UndecidedPayment> open = undecided.since(clock.instant(), MOST);
    if (open.isEmpty()) {
      return;
    }
    ExecutorService threads = Executors.newFixedThreadPool(Math.min(open.size(), THREADS));
    try {
      CompletableFuture.allOf(
              open.stream()
                  .map(one -> CompletableFuture.runAsync(() -> close(undecided, one), threads))
                  .toArray(CompletableFuture[]::new))
          .join();
    } finally {
      threads.shutdown();
    }
  }

  private void lookUp(WaitingRoom.Guest guest) {
    TransferCall call = guest.call();
    Optional<Settlement> found =
        store
            .read()
            .paidBy(call.payer(), call.nonce())
            .<Settlement>map(Settlement.Settled::new)
            .or(() -> store.read().isUnderWay(call) ? Optional.empty() : evidence.of(asked(guest)));
    found.ifPresent(settlement -> room.tell(call, settlement));
  }

  private UndecidedPayment asked(WaitingRoom.Guest guest) {
    TransferCall call = guest.call();
    return new UndecidedPayment(
        new UUID(0, 0),
        1,
        new PaymentKey(network, call.payer().lowerCase(), Hex.of(call.nonce())),
        call.token().toString(),
        call.payTo().toString(),
        call.amount().longValueExact(),
        StoredRows.end(call),
        clock.instant(),
        guest.waiting().hash(),
        false);
  }

  /** Only what our own final transactions prove; the rest is the reconciler's, with evidence. */
  private void close(Undecided open, UndecidedPayment payment) {
    if (payment.key().network().equals(network)) {
      byte[] nonce = Hex.parse(payment.key().nonce());
      store
          .read()
          .paidBy(EvmAddress.parse(payment.key().payer()), nonce)
          .ifPresent(hash -> open.close(payment, new Settlement.Settled(hash)));
    }
  }
}
