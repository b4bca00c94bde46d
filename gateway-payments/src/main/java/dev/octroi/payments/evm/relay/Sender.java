package dev.octroi.payments.evm.relay;

import dev.octroi.payments.Daemons;
import dev.octroi.payments.evm.EvmAddress;
import dev.octroi.payments.evm.chain.ChainUnavailable;
import dev.octroi.payments.evm.chain.JsonRpc;
import dev.octroi.payments.evm.permit2.Permit2Verifier;
import dev.octroi.payments.evm.permit2.TokenApproval;
import dev.octroi.payments.evm.relay.RelaySettings.Wait;
import dev.octroi.payments.evm.relay.SettlementNotifier.Waiting;
import dev.octroi.payments.evm.relay.TransactionSender.Fees;
import dev.octroi.payments.facilitator.Settlement;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Threads, one for each relayer key, that drain one queue: what queued during the last send goes
 * out together, so that a lone payment never waits for company and a crowd shares its gas. The
 * threads are this class's own and are never interrupted. Thread-safe.
 */
final class Sender implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(Sender.class);
  private static final long CLOSE_SECONDS = 10;
  private static final String TOO_MUCH = "invalid_upto_evm_payload_settlement_exceeds_amount";

  /** More than any server has threads to wait with. */
  private static final int QUEUE = 16_384;

  private final TransactionSender transactionSender;
  private final JsonRpc rpc;
  private final Relayers relayers;
  private final RelaySettings settings;
  private final Clock clock;
  private final Optional<SponsoredSettlements> sponsored;
  private final Runnable onSent;
  private final BlockingQueue<Optional<Order>> queue = new LinkedBlockingQueue<>(QUEUE);
  private final List<CompletableFuture<?>> ended = new ArrayList<>();
  private volatile boolean closing;

  Sender(
      TransactionSender transactionSender,
      JsonRpc rpc,
      Relayers relayers,
      RelaySettings settings,
      Clock clock,
      Optional<SponsoredSettlements> sponsored,
      Runnable onSent) {
    this.transactionSender = transactionSender;
    this.rpc = rpc;
    this.relayers = relayers;
    this.settings = settings;
    this.clock = clock;
    this.sponsored = sponsored;
    this.onSent = onSent;
  }

  void start() {
    Daemons daemons = new Daemons("octroi-relay-sender");
    int threads = relayers.addresses().size();
    for (int i = 1; i <= threads; i++) {
      CompletableFuture<?> end = new CompletableFuture<>();
      ended.add(end);
      daemons.persistent(() -> drain(end)).start();
    }
  }

  /** Queues a payment; the caller who waits is told at once if it cannot be. */
  void submit(Order order) {
    if (closing || !queue.offer(Optional.of(order))) {
      unsent(List.of(order), "relay_busy");
    }
  }

  private void drain(CompletableFuture<?> end) {
    boolean goesOn = true;
    while (goesOn) {
      List<Order> orders = new ArrayList<>();
      try {
        goesOn = gather(orders);
        orders.removeIf(order -> !order.waiting().decide());
        orders.removeIf(this::isDecided);
        if (!orders.isEmpty()) {
          send(orders);
        }
      } catch (InterruptedException e) {
        LOG.error("A sender was interrupted by a stranger and goes on", e);
      } catch (RuntimeException | Error e) {
        // The follower may send what was stored, so that its end is not known here.
        LOG.error("A batch could not be sent", e);
        unknown(orders);
      }
    }
    queue.add(Optional.empty());
    end.complete(null);
  }

  /** Waits for an order and takes those that came with it; false if there will be none any more. */
  private boolean gather(List<Order> orders) throws InterruptedException {
    Optional<Order> first = queue.take();
    if (first.isEmpty()) {
      return false;
    }
    orders.add(first.get());
    long end = System.nanoTime() + settings.window().toNanos();
    while (orders.size() < settings.batch()) {
      Optional<Order> next = queue.poll(end - System.nanoTime(), TimeUnit.NANOSECONDS);
      if (next == null) {
        return true;
      }
      if (next.isEmpty()) {
        return false;
      }
      orders.add(next.get());
    }
    return true;
  }

  /**
   * Whether a payment whose settlement may be asked for again is carried by a transaction already,
   * of whichever node, or asks for more than was signed: then its caller waits for that, or knows.
   */
  private boolean isDecided(Order order) {
    TransferCall call = order.call();
    if (!call.isAskedAgain()) {
      return false;
    }
    Optional<String> paid = transactionSender.stored().paidBy(call.owner(), call.nonce());
    if (paid.isPresent()) {
      order.waiting().tell(new Settlement.Settled(paid.get()));
      return true;
    }
    Optional<String> carrier = transactionSender.stored().carrier(call);
    if (carrier.isPresent()) {
      order.waiting().stored(carrier.get(), clock.instant());
      transactionSender.again(carrier.get());
      sent(List.of(order), carrier.get());
      return true;
    }
    if (call.isTooMuch()) {
      order.waiting().tell(new Settlement.Refused(TOO_MUCH));
    }
    return call.isTooMuch();
  }

  private void send(List<Order> orders) {
    Situation now;
    try {
      List<EvmAddress> payers = orders.stream().map(order -> order.call().payer()).toList();
      now = Situation.read(rpc, relayers.addresses(), payers);
    } catch (ChainUnavailable e) {
      LOG.warn("Payments cannot be sent: {}", e.getMessage());
      unsent(orders, "chain_unavailable");
      return;
    }
    Fees fees = now.within(settings.feeCap());
    if (!fees.isWithin(settings.feeCap())) {
      LOG.warn("Gas costs {} wei now, above the cap of {}", fees.max(), settings.feeCap());
      unsent(orders, "gas_above_cap");
      return;
    }
    List<Order> together = new ArrayList<>();
    for (Order order : orders) {
      if (isSponsored(order, now, fees)) {
        onSent.run();
      } else if (now.contracts().contains(order.call().payer())) {
        // Not with its deployment: to deploy it twice takes all the gas there is.
        send(Draft.ofWallet(order.call()), List.of(order), now, fees);
      } else if (order.alone()) {
        send(order.draft(), List.of(order), now, fees);
      } else {
        together.add(order);
      }
    }
    if (!together.isEmpty()) {
      send(Draft.of(together.stream().map(Order::call).toList()), together, now, fees);
    }
  }

  /** Whether it waits for an approval of its payer, or was given back. */
  private boolean isSponsored(Order order, Situation now, Fees fees) {
    if (sponsored.isEmpty() || order.approval().isEmpty()) {
      return false;
    }
    try {
      return sponsored.get().begins(order, order.approval().get(), now, fees);
    } catch (ChainUnavailable e) {
      LOG.warn("An approval cannot be sent: {}", e.getMessage());
      unsent(List.of(order), "chain_unavailable");
      return true;
    }
  }

  private void send(Draft draft, List<Order> orders, Situation now, Fees fees) {
    Optional<RelayerKey> relayer = transactionSender.relayerFor(draft, now, fees);
    if (relayer.isEmpty()) {
      boolean isOfOthers = draft.sender().filter(key -> relayers.find(key).isEmpty()).isPresent();
      unsent(orders, isOfOthers ? Permit2Verifier.FACILITATOR : "relayer_out_of_gas");
      return;
    }
    Optional<String> sent =
        transactionSender.send(
            relayer.get(),
            draft,
            now,
            fees,
            hash -> orders.forEach(order -> order.waiting().stored(hash, clock.instant())));
    sent.ifPresentOrElse(hash -> sent(orders, hash), onSent);
  }

  private void sent(List<Order> orders, String hash) {
    orders.stream()
        .filter(order -> order.until() == Wait.BROADCAST)
        .forEach(order -> order.waiting().tell(new Settlement.Sent(hash)));
    onSent.run();
  }

  private static void unsent(List<Order> orders, String reason) {
    orders.forEach(order -> order.waiting().tell(new Settlement.Unsent(reason)));
  }

  private static void unknown(List<Order> orders) {
    orders.forEach(order -> order.waiting().tell(new Settlement.Unknown("relay_failed", null)));
  }

  /** Sends what is queued and ends, or gives up after {@value #CLOSE_SECONDS} seconds. */
  @Override
  public void close() {
    closing = true;
    queue.add(Optional.empty());
    CompletableFuture.allOf(ended.toArray(CompletableFuture[]::new))
        .completeOnTimeout(null, CLOSE_SECONDS, TimeUnit.SECONDS)
        .join();
    Optional<Order> left = queue.poll();
    while (left != null) {
      left.ifPresent(order -> unsent(List.of(order), "relay_closed"));
      left = queue.poll();
    }
  }

  /**
   * A payment that a caller waits for.
   *
   * @param draft the transaction that it makes by itself
   * @param alone whether it must not go out with others: only signatures of 65 bytes may, unless
   *     the payer turns out to be a contract (money rule 10)
   * @param until how long the caller who asked waits
   * @param approval what its payer brings along where Permit2 may not move the money yet
   */
  record Order(
      TransferCall call,
      Draft draft,
      boolean alone,
      Wait until,
      Waiting waiting,
      Optional<TokenApproval> approval) {

    Order(TransferCall call, Draft draft, boolean alone, Wait until, Waiting waiting) {
      this(call, draft, alone, until, waiting, Optional.empty());
    }
  }
}
